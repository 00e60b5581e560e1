import { MAIL_PROVIDERS, MAILBOX_PATTERN, SETTINGS, type Setting } from 'early-access-server/internal';
import { defineInt, defineSecret, defineString } from 'firebase-functions/params';
import { deployedValue, listItems } from './deployed-files.ts';

/**
 * `firebase deploy` reads these from the files beside the code and asks for all others, which the patterns check.
 * Secrets are in Secret Manager. The build writes the defaults into such a file.
 */

const SITE = {
  validationRegex: '^https?://[^\\s/?#]+/?$',
  validationErrorMessage: 'It must look like https://www.example.com, without a path',
};
const SENDER = {
  validationRegex: MAILBOX_PATTERN,
  validationErrorMessage: 'It must look like hello@example.com or Name <hello@example.com>',
};

/** A setting of the server, with the server's description unless it has a different meaning here. Default: empty. */
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
export const CONFIRM = stringParam(SETTINGS.CONFIRM, { default: 'off' });
export const SHARE = stringParam(SETTINGS.SHARE, { default: 'off' });
export const SHOW_PLACES = stringParam(SETTINGS.SHOW_PLACES, { default: 'off' });
export const INVITE_URL = stringParam(SETTINGS.INVITE_URL);
export const INVITE_KEY = defineSecret('INVITE_KEY', {
  label: 'Key of the product’s back end',
  description: 'At least 32 characters, with which it redeems invitations; not used if INVITE_URL is empty',
});
export const GATE_SIGN_UPS = defineString('GATE_SIGN_UPS', {
  default: 'off',
  description:
    'On: only invited people get an account in Firebase Authentication, which needs the upgrade to Identity Platform',
});
export const MAIL_REPLY_TO = stringParam(SETTINGS.MAIL_REPLY_TO);
export const MAIL_ADDRESS = stringParam(SETTINGS.MAIL_ADDRESS);
export const MAIL_LANGUAGE = stringParam(SETTINGS.MAIL_LANGUAGE, { default: 'en' });
export const BRAND_NAME = stringParam(SETTINGS.BRAND_NAME);
export const BRAND_URL = stringParam(SETTINGS.BRAND_URL);
export const BRAND_COLOR = stringParam(SETTINGS.BRAND_COLOR);
export const BRAND_BACKGROUND = stringParam(SETTINGS.BRAND_BACKGROUND);
export const BRAND_LOGO = stringParam(SETTINGS.BRAND_LOGO);
export const BRAND_MARK = stringParam(SETTINGS.BRAND_MARK, {
  description:
    'SVG or PNG file deployed beside the code: a symbol before the name; emails show a PNG only; empty: none',
});
export const BRAND_FONT = stringParam(SETTINGS.BRAND_FONT, {
  description:
    'WOFF2 file deployed beside the code, after its families if you like: Acme Serif, Georgia, serif=acme.woff2; empty: the system’s font',
});
export const BRAND_RADIUS = stringParam(SETTINGS.BRAND_RADIUS);
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
export const HUMAN_CHECK_HOSTNAMES = stringParam(SETTINGS.HUMAN_CHECK_HOSTNAMES, {
  description: 'The host names of the pages with the form, separated by commas; empty: the one of PUBLIC_URL',
});
export const HUMAN_CHECK_ACTION = stringParam(SETTINGS.HUMAN_CHECK_ACTION);
/** Null without a human check, because `firebase deploy` requires every defined secret. */
export const HUMAN_CHECK_SECRET = !['', 'off'].includes(deployedValue('HUMAN_CHECK'))
  ? defineSecret('HUMAN_CHECK_SECRET', {
      label: 'Secret of the human check',
      description: 'The secret key that the provider gave you; for proof-of-work, at least 32 characters of your own',
    })
  : null;
export const ALLOWED_ORIGINS = stringParam(SETTINGS.ALLOWED_ORIGINS, {
  description: 'Other sites whose pages may sign people up, separated by commas: https://www.example.com',
});
export const BLOCK_DISPOSABLE = stringParam(SETTINGS.BLOCK_DISPOSABLE, { default: 'off' });
export const CHECK_MX = stringParam(SETTINGS.CHECK_MX, { default: 'off' });
export const ACCEPT_DOMAINS = stringParam(SETTINGS.ACCEPT_DOMAINS);
export const BLOCK_DOMAINS = stringParam(SETTINGS.BLOCK_DOMAINS);
export const DISPOSABLE_DOMAINS = stringParam(SETTINGS.DISPOSABLE_DOMAINS);
export const BUSINESS_ONLY = stringParam(SETTINGS.BUSINESS_ONLY, { default: 'off' });
export const WELCOME_EMAIL = stringParam(SETTINGS.WELCOME_EMAIL, { default: 'on' });
export const COUNTRY_HEADER = stringParam(SETTINGS.COUNTRY_HEADER);
export const SIGNUP_COUNT = stringParam(SETTINGS.SIGNUP_COUNT);
export const SIGNUP_COUNT_ROUNDING = stringParam(SETTINGS.SIGNUP_COUNT_ROUNDING);
export const JOIN_PAGE = stringParam(SETTINGS.JOIN_PAGE, { default: 'off' });
export const BRAND_PICTURE = stringParam(SETTINGS.BRAND_PICTURE);
export const FORM_ORIGINS = stringParam(SETTINGS.FORM_ORIGINS);
export const FORM_KEYS = stringParam(SETTINGS.FORM_KEYS);
export const STATUS_PAGE = stringParam(SETTINGS.STATUS_PAGE, { default: 'off' });
export const AGENT_DOCS = stringParam(SETTINGS.AGENT_DOCS, { default: 'off' });
export const MAIL_EVENTS = defineString('MAIL_EVENTS', {
  default: '',
  description: `The mail providers whose reports of bounces and complaints are accepted, separated by commas: ${MAIL_PROVIDERS.join(', ')}; empty: none`,
});
export const SES_TOPIC_ARN = stringParam(SETTINGS.SES_TOPIC_ARN);
/** Null unless the provider's reports are accepted, because `firebase deploy` requires every defined secret. */
function reportSecret(provider: (typeof MAIL_PROVIDERS)[number], { name, plainMeaning }: Setting<unknown>) {
  if (!listItems(deployedValue('MAIL_EVENTS')).includes(provider)) return null;
  return defineSecret(name, { label: 'Secret of the mail provider’s reports', description: plainMeaning });
}
export const POSTMARK_WEBHOOK_KEY = reportSecret('postmark', SETTINGS.POSTMARK_WEBHOOK_KEY);
export const RESEND_WEBHOOK_SECRET = reportSecret('resend', SETTINGS.RESEND_WEBHOOK_SECRET);
export const MAILGUN_SIGNING_KEY = reportSecret('mailgun', SETTINGS.MAILGUN_SIGNING_KEY);
export const BREVO_WEBHOOK_KEY = reportSecret('brevo', SETTINGS.BREVO_WEBHOOK_KEY);
export const DATABASE_ID = defineString('DATABASE_ID', {
  default: '(default)',
  description: 'The Firestore database; must equal the adapter’s databaseId',
});
export const RETENTION_DAYS = defineInt('RETENTION_DAYS', {
  default: 395,
  description: 'The most days that a session is stored, by the rules too; at least the adapter’s retentionDays',
});
export const MAILS_PER_HOUR = defineInt('MAILS_PER_HOUR', {
  default: 200,
  description: SETTINGS.MAILS_PER_HOUR.plainMeaning,
});
export const ENFORCE_APP_CHECK = defineString('ENFORCE_APP_CHECK', {
  default: 'off',
  description: 'On: signups of pages and calls of send-welcome-email and read-analytics need an App Check token',
});
export const FUNCTIONS_REGION = defineString('FUNCTIONS_REGION', {
  default: 'us-central1',
  description: 'Where the functions run; must equal the adapter’s functionsRegion',
});
export const MIN_INSTANCES = defineInt('MIN_INSTANCES', {
  default: 0,
  description:
    'How many instances of accept-signups always run, so that no visitor waits for a start; each costs money',
});
