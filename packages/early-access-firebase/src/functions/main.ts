import type { FieldDeclarations } from 'early-access-kit/core';
import type { InviteOptions, MailOptions } from 'early-access-server';
import {
  type Brand,
  type Environment,
  hintsAboutNames,
  readBrand,
  readFieldsFile,
  readInvites,
  readMailsPerHour,
  readTemplates,
  readVerifyHuman,
  SETTINGS,
  smtpTransport,
  type VerifyHuman,
  withCurrentNames,
} from 'early-access-server/app';
import { getApps, initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { type FirestoreStore, firestoreStore } from '../firestore/firestore-store.ts';
import { createFunctions } from './create-functions.ts';
import { cloudLog, usable } from './log.ts';
import { once } from './once.ts';
import {
  ADMIN_EMAIL,
  BRAND_BACKGROUND,
  BRAND_COLOR,
  BRAND_LOGO,
  BRAND_NAME,
  BRAND_URL,
  CONFIRM,
  DATABASE_ID,
  ENFORCE_APP_CHECK,
  HUMAN_CHECK,
  HUMAN_CHECK_SECRET,
  HUMAN_CHECK_URL,
  INVITE_KEY,
  INVITE_URL,
  MAIL_ADDRESS,
  MAIL_FROM,
  MAIL_LANGUAGE,
  MAIL_REPLY_TO,
  MAIL_TEMPLATES,
  MAILS_PER_HOUR,
  PUBLIC_URL,
  RETENTION_DAYS,
  SIGNUP_FIELDS,
  SMTP_URL,
} from './params.ts';
import { type WelcomeEmails, welcomeEmails } from './welcome-emails.ts';

/** Shorter than the functions' timeout, so that the outcome of every delivery is recorded. */
const DELIVERY_TIMEOUT_MS = 40_000;

/** Whether this is the Functions emulator, for which there is no charge and no other machine. */
const { FUNCTIONS_EMULATOR, WEBHOOK_ALLOW_LOCAL } = process.env;
const EMULATED = FUNCTIONS_EMULATOR === 'true';

/** The value of a parameter's former name is only in the environment. */
const FORMER: Environment = { BRAND_COLOUR: process.env.BRAND_COLOUR };
for (const hint of hintsAboutNames(FORMER, [])) cloudLog('warn', 'setting-name', { hint });

// Not `DATABASE_ID.value()`, which is not allowed during the deployment.
// The project's other functions may have initialized the app.
const firestore = getFirestore(getApps()[0] ?? initializeApp(), process.env[DATABASE_ID.name] || '(default)');
/** One connection to the mail server for all emails of an instance. */
const mailOptions = once(openMail);
const emails = once(openWelcomeEmails);
const store = once(openStore);

/** Maps the parameters to the server's settings. They have no values during the deployment. */
function settings(): Environment {
  const named = [
    ...[
      MAIL_FROM,
      MAIL_REPLY_TO,
      MAIL_ADDRESS,
      PUBLIC_URL,
      BRAND_NAME,
      BRAND_URL,
      BRAND_COLOR,
      BRAND_BACKGROUND,
      BRAND_LOGO,
      ADMIN_EMAIL,
    ],
    ...[MAILS_PER_HOUR, MAIL_LANGUAGE, INVITE_URL, HUMAN_CHECK, HUMAN_CHECK_URL],
  ].map((parameter) => [parameter.name, String(parameter.value())]);
  return withCurrentNames({ ...FORMER, ...Object.fromEntries(named) });
}

/** The secret is readable only in functions that name it. */
function openMail(): MailOptions {
  const env = { ...settings(), SMTP_URL: SMTP_URL.value() };
  const transport = smtpTransport({ url: SETTINGS.SMTP_URL.require(env), timeoutMs: DELIVERY_TIMEOUT_MS });
  const folder = MAIL_TEMPLATES.value();
  return {
    transport,
    from: SETTINGS.MAIL_FROM.require(env),
    replyTo: SETTINGS.MAIL_REPLY_TO.read(env) ?? undefined,
    postalAddress: SETTINGS.MAIL_ADDRESS.read(env) ?? undefined,
    language: SETTINGS.MAIL_LANGUAGE.read(env) ?? undefined,
    ...(folder !== '' && { templates: readTemplates(folder, fields()) }),
  };
}

function openWelcomeEmails(): WelcomeEmails {
  const { from, templates = {}, ...mail } = mailOptions();
  const siteUrl = SETTINGS.PUBLIC_URL.require(settings()).href;
  return welcomeEmails({
    mailFrom: from,
    brand: brand(),
    ...mail,
    templates,
    siteUrl,
    store: store(),
    log: cloudLog,
  });
}

function openStore(): FirestoreStore {
  const quota = usable(
    cloudLog,
    () => ({ mailsPerHour: readMailsPerHour(settings()) }),
    () => ({}),
  );
  return firestoreStore({
    firestore,
    log: cloudLog,
    confirm: CONFIRM.value(),
    retentionDays: RETENTION_DAYS.value(),
    ...quota,
    ...(EMULATED && { summaryMaxAgeMs: 0 }),
  });
}

/** Without a page to lead to the key is not read, because only some functions may. */
function invites(): InviteOptions | null {
  const env = settings();
  return env.INVITE_URL ? readInvites({ ...env, INVITE_KEY: INVITE_KEY.value() }) : null;
}

function fields(): FieldDeclarations {
  const file = SIGNUP_FIELDS.value();
  return file === '' ? {} : readFieldsFile(file);
}

function verifyHuman(): VerifyHuman | null {
  return readVerifyHuman({ ...settings(), HUMAN_CHECK_SECRET: HUMAN_CHECK_SECRET?.value() });
}

function brand(): Brand {
  const env = settings();
  return readBrand(env, SETTINGS.PUBLIC_URL.require(env));
}

export const { admin, links, send, read, submit, accept, mail, roll, sweep } = createFunctions({
  firestore,
  store,
  welcomeEmails: emails,
  mail: mailOptions,
  adminEmail: () => SETTINGS.ADMIN_EMAIL.read(settings()),
  publicUrl: () => SETTINGS.PUBLIC_URL.require(settings()),
  brand,
  invites,
  inviteUrl: () => SETTINGS.INVITE_URL.read(settings()),
  fields,
  verifyHuman,
  appCheckRequired: () => ENFORCE_APP_CHECK.value(),
  log: cloudLog,
  webhooks: { allowLocal: EMULATED && WEBHOOK_ALLOW_LOCAL === 'on' },
});
