import type { FieldDeclarations } from 'early-access-kit/core';
import type { InviteOptions, MailEventOptions, MailOptions } from 'early-access-server';
import {
  ConfigError,
  type Environment,
  MAIL_PROVIDERS,
  readBrand,
  readBrandFiles,
  readFieldsFile,
  readInvites,
  readMailsPerHour,
  readPageTexts,
  readTemplates,
  readVerifyHuman,
  SETTINGS,
  smtpTransport,
} from 'early-access-server/app';
import { getApps, initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { type FirestoreStore, firestoreStore } from '../firestore/firestore-store.ts';
import { createFunctions } from './create-functions.ts';
import { readDeployedFiles } from './deployed-files.ts';
import { cloudLog, usable } from './log.ts';
import { once } from './once.ts';
import { checkParameterFile, plainParameters } from './parameter-file.ts';
import * as parameters from './params.ts';

/** Shorter than the functions' timeout, so that the outcome of every delivery is recorded. */
const DELIVERY_TIMEOUT_MS = 40_000;

/** Whether this is the Functions emulator, for which there is no charge and no other machine. */
const { FUNCTIONS_EMULATOR, WEBHOOK_ALLOW_LOCAL } = process.env;
const EMULATED = FUNCTIONS_EMULATOR === 'true';

// `firebase deploy` loads the functions before it deploys them.
for (const { file, text } of readDeployedFiles()) checkParameterFile(file, text);

// Not `DATABASE_ID.value()`, which is not allowed during the deployment.
const databaseId = process.env[parameters.DATABASE_ID.name] || '(default)';
// The project's other functions may have initialized the app.
const firestore = getFirestore(getApps()[0] ?? initializeApp(), databaseId);

/** Maps the parameters to the server's settings. They have no values during the deployment. */
function settings(): Environment {
  return Object.fromEntries(plainParameters().map((parameter) => [parameter.name, String(parameter.value())]));
}

/** The secret is readable only in functions that name it. */
function openMail(): MailOptions {
  const env = { ...settings(), SMTP_URL: parameters.SMTP_URL.value() };
  const transport = smtpTransport({
    url: SETTINGS.SMTP_URL.require(env),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    name: publicUrl().hostname,
  });
  const folder = parameters.MAIL_TEMPLATES.value();
  return {
    transport,
    from: SETTINGS.MAIL_FROM.require(env),
    replyTo: SETTINGS.MAIL_REPLY_TO.read(env) ?? undefined,
    postalAddress: SETTINGS.MAIL_ADDRESS.read(env) ?? undefined,
    language: SETTINGS.MAIL_LANGUAGE.read(env) ?? undefined,
    ...(folder !== '' && { templates: readTemplates(folder, fields()) }),
  };
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
    confirm: parameters.CONFIRM.value(),
    retentionDays: parameters.RETENTION_DAYS.value(),
    ...quota,
    ...(EMULATED && { summaryMaxAgeMs: 0 }),
  });
}

/** Without a page to lead to the key is not read, because only some functions may. */
function invites(): InviteOptions | null {
  const env = settings();
  return env.INVITE_URL ? readInvites({ ...env, INVITE_KEY: parameters.INVITE_KEY.value() }) : null;
}

function fields(): FieldDeclarations {
  const file = parameters.SIGNUP_FIELDS.value();
  return file === '' ? {} : readFieldsFile(file);
}

/** Null: reports of no mail provider are accepted. */
function mailEvents(): MailEventOptions | null {
  const given = parameters.MAIL_EVENTS.value().trim();
  if (given === '') return null;
  const provider = MAIL_PROVIDERS.find((name) => name === given);
  const secret = parameters.MAIL_EVENTS_SECRET?.value().trim();
  if (provider === undefined) throw new ConfigError(`MAIL_EVENTS must be one of ${MAIL_PROVIDERS.join(', ')}`);
  if (!secret) throw new ConfigError('MAIL_EVENTS is set in .env, so MAIL_EVENTS_SECRET must be set too');
  return { [provider]: secret };
}

const publicUrl = () => SETTINGS.PUBLIC_URL.require(settings());

export const { admin, links, send, read, submit, accept, mail, roll, sweep } = createFunctions({
  firestore,
  store: once(openStore),
  // One connection to the mail server for all emails of an instance.
  mail: once(openMail),
  adminEmail: () => SETTINGS.ADMIN_EMAIL.read(settings()),
  publicUrl,
  brand: () => readBrand(settings(), publicUrl(), readBrandFiles(settings())),
  texts: () => readPageTexts(settings()),
  invites,
  mailEvents,
  inviteUrl: () => SETTINGS.INVITE_URL.read(settings()),
  fields,
  verifyHuman: () => readVerifyHuman({ ...settings(), HUMAN_CHECK_SECRET: parameters.HUMAN_CHECK_SECRET?.value() }),
  appCheckRequired: () => parameters.ENFORCE_APP_CHECK.value(),
  log: cloudLog,
  webhooks: { allowLocal: EMULATED && WEBHOOK_ALLOW_LOCAL === 'on' },
});
