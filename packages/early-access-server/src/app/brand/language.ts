/** The languages of emails and of the pages that people open without the site. */
export { findLanguage, getDirection, LANGUAGES, type Language } from 'early-access-kit/messages';
