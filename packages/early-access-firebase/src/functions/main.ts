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
  readMailEvents,
  readMailsPerHour,
  readPageTexts,
  readPublicRoutes,
  readShare,
  readTemplates,
  readVerifyHuman,
  SETTINGS,
  smtpTransport,
} from 'early-access-server/internal';
import { getApps, initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { type FirestoreStore, firestoreStore } from '../firestore/firestore-store.ts';
import { createFunctions } from './create-functions.ts';
import { deployedValue, listItems, readDeployedFiles } from './deployed-files.ts';
import { localMail, MAIL_FILES } from './local-mail.ts';
import { cloudLog, usable } from './log.ts';
import { once } from './once.ts';
import { checkParameterFile, plainParameters, reportSecrets } from './parameter-file.ts';
import * as parameters from './params.ts';

/** Shorter than the functions' timeout, so that the outcome of every delivery is recorded. */
const DELIVERY_TIMEOUT_MS = 40_000;

/** True in the Functions emulator, which costs nothing and runs on one machine. */
const { FUNCTIONS_EMULATOR, WEBHOOK_ALLOW_LOCAL } = process.env;
const EMULATED = FUNCTIONS_EMULATOR === 'true';

// `firebase deploy` loads the functions first, so invalid parameters stop the deployment.
for (const { file, text } of readDeployedFiles()) checkParameterFile(file, text);

// Not `DATABASE_ID.value()`, which is not allowed during the deployment.
const databaseId = process.env[parameters.DATABASE_ID.name] || '(default)';
// The project's other functions may have initialized the app.
const app = getApps()[0] ?? initializeApp();
const firestore = getFirestore(app, databaseId);

/** Maps the parameters to the server's settings. They have no values during deployment. */
function settings(): Environment {
  return Object.fromEntries(plainParameters().map((parameter) => [parameter.name, String(parameter.value())]));
}

/** The secret can only be read in functions that declare it. */
function openMail(): MailOptions {
  const env = { ...settings(), SMTP_URL: parameters.SMTP_URL.value() };
  const transport =
    EMULATED && env.SMTP_URL.startsWith(MAIL_FILES)
      ? localMail(env.SMTP_URL.slice(MAIL_FILES.length))
      : smtpTransport({
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
  const mails = [
    () => ({ mailsPerHour: readMailsPerHour(settings()) }),
    () => ({ welcomeEmail: SETTINGS.WELCOME_EMAIL.read(settings()) ?? true }),
  ].map((read) => usable(cloudLog, read, () => ({})));
  return firestoreStore({
    firestore,
    log: cloudLog,
    confirm: SETTINGS.CONFIRM.read(settings()) ?? false,
    retentionDays: parameters.RETENTION_DAYS.value(),
    ...Object.assign({}, ...mails),
    ...(EMULATED && { summaryMaxAgeMs: 0 }),
  });
}

/** Without an invite page, the key is not read, because only some functions may read it. */
function invites(): InviteOptions | null {
  const env = settings();
  return env.INVITE_URL ? readInvites({ ...env, INVITE_KEY: parameters.INVITE_KEY.value() }) : null;
}

function fields(): FieldDeclarations {
  const file = parameters.SIGNUP_FIELDS.value();
  return file === '' ? {} : readFieldsFile(file);
}

/** Null if no mail provider's reports are accepted. */
function mailEvents(): MailEventOptions | null {
  const names = listItems(parameters.MAIL_EVENTS.value());
  if (names.length === 0) return null;
  const secrets = Object.fromEntries(reportSecrets().map((secret) => [secret.name, secret.value()]));
  const accepted = readMailEvents({ ...settings(), ...secrets });
  const unusable = names.find((name) => !MAIL_PROVIDERS.some((provider) => provider === name && accepted[provider]));
  if (unusable === undefined) return accepted;
  throw new ConfigError(`MAIL_EVENTS: ${unusable} has no secret, or is none of ${MAIL_PROVIDERS.join(', ')}`);
}

const publicUrl = () => SETTINGS.PUBLIC_URL.require(settings());

export const { admin, links, send, read, submit, accept, mail, roll, sweep, gate } = createFunctions({
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
  share: () => readShare(settings()),
  inviteUrl: () => SETTINGS.INVITE_URL.read(settings()),
  fields,
  publicRoutes: () => readPublicRoutes(settings()),
  verifyHuman: () => readVerifyHuman({ ...settings(), HUMAN_CHECK_SECRET: parameters.HUMAN_CHECK_SECRET?.value() }),
  appCheckRequired: () => !['', 'off'].includes(parameters.ENFORCE_APP_CHECK.value()),
  // As long as it is exported, Firebase calls it for every new account.
  gateSignUps: !['', 'off'].includes(deployedValue(parameters.GATE_SIGN_UPS.name)),
  // Loaded at its first use, because most sites do not need it.
  verifyAppCheck: async (token) => (await import('firebase-admin/app-check')).getAppCheck(app).verifyToken(token),
  log: cloudLog,
  webhooks: { allowLocal: EMULATED && WEBHOOK_ALLOW_LOCAL === 'on' },
});
