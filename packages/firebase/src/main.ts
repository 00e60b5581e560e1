import type { MailOptions } from 'early-access-server';
import {
  type Brand,
  type Environment,
  readBrand,
  readMailsPerHour,
  readTemplates,
  SETTINGS,
  smtpTransport,
} from 'early-access-server/app';
import { firestoreStore } from 'early-access-server/firestore';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { createFunctions } from './functions.ts';
import { cloudLog } from './log.ts';
import {
  ADMIN_EMAIL,
  BRAND_BACKGROUND,
  BRAND_COLOUR,
  BRAND_LOGO,
  BRAND_NAME,
  BRAND_URL,
  ENFORCE_APP_CHECK,
  MAIL_FROM,
  MAIL_TEMPLATES,
  MAILS_PER_HOUR,
  PUBLIC_URL,
  SMTP_URL,
} from './params.ts';
import { type WelcomeEmails, welcomeEmails } from './welcome-emails.ts';

/** Shorter than the functions' timeout, so that the outcome of every delivery is recorded. */
const DELIVERY_TIMEOUT_MS = 40_000;

const firestore = getFirestore(initializeApp());
/** One connection to the mail server for all emails of an instance. */
const mailOptions = once(openMail);
const emails = once(openWelcomeEmails);

/** Maps the parameters to the server's settings. They have no values during the deployment. */
function settings(): Environment {
  return {
    MAIL_FROM: MAIL_FROM.value(),
    PUBLIC_URL: PUBLIC_URL.value(),
    BRAND_NAME: BRAND_NAME.value(),
    BRAND_URL: BRAND_URL.value(),
    BRAND_COLOUR: BRAND_COLOUR.value(),
    BRAND_BACKGROUND: BRAND_BACKGROUND.value(),
    BRAND_LOGO: BRAND_LOGO.value(),
    ADMIN_EMAIL: ADMIN_EMAIL.value(),
    MAILS_PER_HOUR: String(MAILS_PER_HOUR.value()),
  };
}

/** The secret is readable only in functions that name it. */
function openMail(): MailOptions {
  const env = { ...settings(), SMTP_URL: SMTP_URL.value() };
  const transport = smtpTransport({ url: SETTINGS.SMTP_URL.require(env), timeoutMs: DELIVERY_TIMEOUT_MS });
  const folder = MAIL_TEMPLATES.value();
  return {
    transport,
    from: SETTINGS.MAIL_FROM.require(env),
    ...(folder !== '' && { templates: readTemplates(folder) }),
  };
}

function openWelcomeEmails(): WelcomeEmails {
  const { transport, from, templates = {} } = mailOptions();
  const store = firestoreStore({ firestore, mailsPerHour: readMailsPerHour(settings()) });
  return welcomeEmails({ mailFrom: from, brand: brand(), templates, store, transport, log: cloudLog });
}

function brand(): Brand {
  const env = settings();
  return readBrand(env, SETTINGS.PUBLIC_URL.require(env));
}

export const { admin, send, read, submit, mail, roll, sweep } = createFunctions({
  firestore,
  store: firestoreStore({ firestore }),
  welcomeEmails: emails,
  mail: mailOptions,
  adminEmail: () => SETTINGS.ADMIN_EMAIL.read(settings()),
  publicUrl: () => SETTINGS.PUBLIC_URL.require(settings()),
  brand,
  appCheckRequired: () => ENFORCE_APP_CHECK.value(),
  log: cloudLog,
});

/** The value that `create` returned the first time. A failure is not kept. */
function once<T>(create: () => T): () => T {
  let value: { readonly created: T } | undefined;
  return () => {
    value ??= { created: create() };
    return value.created;
  };
}
