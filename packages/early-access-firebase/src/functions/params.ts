import { MAIL_PROVIDERS, MAILBOX_PATTERN, SETTINGS, type Setting } from 'early-access-server/app';
import { defineBoolean, defineInt, defineSecret, defineString } from 'firebase-functions/params';
import { hasValue } from './deployed-files.ts';

/**
 * `firebase deploy` takes these from the files beside the code and asks for the others, which the patterns check. Secrets are in Secret
 * Manager. The build writes the defaults into such a file.
 */

const SITE = {
  validationRegex: '^https?://[^\\s/?#]+/?$',
  validationErrorMessage: 'It must look like https://www.example.com, without a path',
};
const SENDER = {
  validationRegex: MAILBOX_PATTERN,
  validationErrorMessage: 'It must look like hello@example.com or Name <hello@example.com>',
};

/** A setting of the server, described as everywhere else unless it means something else here. Empty by default. */
function stringParam(
  setting: Setting<unknown>,
  options: { readonly default?: string; readonly description?: string } = {},
) {
  return defineString(setting.name, { default: '', description: setting.plainMeaning, ...options });
}

export const SMTP_URL = defineSecret('SMTP_URL', {
  label: 'Mail server',
  description: 'smtp://user:password@mail.example.com:587, or smtps://',
});
export const MAIL_FROM = defineString('MAIL_FROM', {
  description: 'The sender of emails, such as Acme <hello@example.com>',
  input: { text: SENDER },
});
export const PUBLIC_URL = defineString('PUBLIC_URL', {
  description: 'Where visitors reach the site, such as https://www.example.com',
  input: { text: SITE },
});
export const ADMIN_EMAIL = stringParam(SETTINGS.ADMIN_EMAIL, {
  description: 'Who may read the analytics summary and open the dashboard, separated by commas; empty: no one',
});
export const CONFIRM = defineBoolean('CONFIRM', {
  default: false,
  description: 'Whether signups count once they are confirmed by a link in an email',
});
export const INVITE_URL = stringParam(SETTINGS.INVITE_URL);
export const INVITE_KEY = defineSecret('INVITE_KEY', {
  label: 'Key of the product’s back end',
  description: 'At least 32 characters, with which it redeems invitations; not used if INVITE_URL is empty',
});
export const MAIL_REPLY_TO = stringParam(SETTINGS.MAIL_REPLY_TO);
export const MAIL_ADDRESS = stringParam(SETTINGS.MAIL_ADDRESS);
export const MAIL_LANGUAGE = stringParam(SETTINGS.MAIL_LANGUAGE, { default: 'en' });
export const BRAND_NAME = stringParam(SETTINGS.BRAND_NAME);
export const BRAND_URL = stringParam(SETTINGS.BRAND_URL);
export const BRAND_COLOR = stringParam(SETTINGS.BRAND_COLOR);
export const BRAND_BACKGROUND = stringParam(SETTINGS.BRAND_BACKGROUND);
export const BRAND_LOGO = stringParam(SETTINGS.BRAND_LOGO);
export const BRAND_STYLES = stringParam(SETTINGS.BRAND_STYLES, {
  description: 'CSS file for the pages of the functions, deployed beside the code; empty: the default look',
});
export const PAGE_TEXTS = stringParam(SETTINGS.PAGE_TEXTS, {
  description:
    'JSON file of your own texts for the pages of the functions, deployed beside the code; empty: the built-in texts',
});
export const MAIL_TEMPLATES = stringParam(SETTINGS.MAIL_TEMPLATES, {
  description: 'Folder of email templates, deployed beside the code; empty: the default emails',
});
export const SIGNUP_FIELDS = stringParam(SETTINGS.SIGNUP_FIELDS, {
  description: 'JSON file that declares the fields of the form, deployed beside the code; empty: the address alone',
});
export const HUMAN_CHECK = stringParam(SETTINGS.HUMAN_CHECK, { default: 'off' });
export const HUMAN_CHECK_URL = stringParam(SETTINGS.HUMAN_CHECK_URL);
export const HUMAN_CHECK_HOSTNAMES = stringParam(SETTINGS.HUMAN_CHECK_HOSTNAMES);
export const HUMAN_CHECK_ACTION = stringParam(SETTINGS.HUMAN_CHECK_ACTION);
/** Null without a human check: `firebase deploy` demands each secret that is defined. */
export const HUMAN_CHECK_SECRET = hasValue('HUMAN_CHECK')
  ? defineSecret('HUMAN_CHECK_SECRET', {
      label: 'Secret of the human check',
      description: 'The secret key that the provider gave you; for proof-of-work, at least 32 characters of your own',
    })
  : null;
export const MAIL_EVENTS = defineString('MAIL_EVENTS', {
  default: '',
  description: `The mail provider whose reports of bounces and complaints are accepted: ${MAIL_PROVIDERS.join(', ')}; empty: none`,
});
/** Null unless reports are accepted, as `HUMAN_CHECK_SECRET`. */
export const MAIL_EVENTS_SECRET = hasValue('MAIL_EVENTS')
  ? defineSecret('MAIL_EVENTS_SECRET', {
      label: 'Secret of the mail provider’s reports',
      description: 'The value of the provider’s setting in mail-providers.md, such as that of POSTMARK_WEBHOOK_KEY',
    })
  : null;
export const DATABASE_ID = defineString('DATABASE_ID', {
  default: '(default)',
  description: 'The Firestore database; must equal the adapter’s databaseId',
});
export const RETENTION_DAYS = defineInt('RETENTION_DAYS', {
  default: 395,
  description: 'Days after which sessions are deleted, for the dashboard; must equal the adapter’s retentionDays',
});
export const MAILS_PER_HOUR = defineInt('MAILS_PER_HOUR', {
  default: 200,
  description: SETTINGS.MAILS_PER_HOUR.plainMeaning,
});
export const ENFORCE_APP_CHECK = defineBoolean('ENFORCE_APP_CHECK', {
  default: false,
  description: 'Whether send-welcome-email and read-analytics refuse calls without an App Check token',
});
export const FUNCTIONS_REGION = defineString('FUNCTIONS_REGION', {
  default: 'us-central1',
  description: 'Where the functions run; must equal the adapter’s functionsRegion',
});
