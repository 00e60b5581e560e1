import { join, resolve } from 'node:path';
import { ConfigError } from '../app/access/host-mistakes.ts';
import { isLoopback } from '../app/access/loopback.ts';
import { readBrand } from '../app/brand/brand.ts';
import { DEFAULT_RETENTION_DAYS } from '../app/jobs/retention.ts';
import type { SignupCountOptions } from '../app/list/signup-count.ts';
import { readVerifyHuman } from './human-settings.ts';
import type { Environment } from './setting.ts';
import { SETTINGS } from './setting-list.ts';
import {
  readBrandFiles,
  readFields,
  readHostedForms,
  readInvites,
  readMailEvents,
  readMailsPerHour,
  readPageTexts,
  readShare,
} from './settings.ts';

/** The parsed settings of the server. `smtpUrl` and `databaseUrl` may hold passwords: never print them. */
export type Config = ReturnType<typeof readConfig>;

/** On a purely local run no one else can read the summary, so a known address does no harm. */
const LOCAL_ADMIN = 'admin@example.com';
const LOCAL_SENDER = 'Early access <hello@example.com>';
/** `localhost` is either of these; the browser chooses. */
const LOCALHOST = ['127.0.0.1', '::1'];

/** Reads the settings. Throws a `ConfigError` for the first that cannot be used. `builtScripts` is served unless `EMBED_DIR` names another folder. */
export function readConfig(env: Environment, builtScripts: string) {
  const hosts = readHosts(env);
  const smtpUrl = SETTINGS.SMTP_URL.read(env);
  const mailFrom = SETTINGS.MAIL_FROM.read(env);
  const publicUrl = SETTINGS.PUBLIC_URL.read(env);
  const siteDir = SETTINGS.SITE_DIR.read(env);
  const trustProxy = SETTINGS.TRUST_PROXY.read(env) ?? 0;
  if (smtpUrl !== null && mailFrom === null) {
    throw new ConfigError('SMTP_URL is set, so MAIL_FROM must be set too: the address that emails come from');
  }
  if (smtpUrl !== null && publicUrl === null) {
    throw new ConfigError(
      'SMTP_URL is set, so PUBLIC_URL must be set too: where the links in emails lead, such as https://www.example.com',
    );
  }
  const demo = SETTINGS.DEMO.read(env) ?? false;
  const databaseUrl = SETTINGS.DATABASE_URL.read(env);
  if (demo && (smtpUrl ?? databaseUrl) !== null) {
    throw new ConfigError('DEMO is on, so SMTP_URL and DATABASE_URL must not be set: a demo sends and stores nothing');
  }
  const isLocalRun = hosts.every(isLoopback) && publicUrl === null && trustProxy === 0 && smtpUrl === null;
  return {
    port: SETTINGS.PORT.read(env) ?? 4_173,
    /** The first one has to work. */
    hosts,
    /** Only this machine can reach the server, and it sends no emails. */
    isLocalRun,
    dataDir: readDataDir(env),
    /** Null: SQLite in `dataDir`. */
    databaseUrl,
    /** Everything is in memory, and anyone may read a dashboard of samples. */
    demo,
    /** Null: the summary and the dashboard are off. */
    adminEmail: SETTINGS.ADMIN_EMAIL.read(env) ?? (isLocalRun ? LOCAL_ADMIN : null),
    /** Null: emails are written to files. */
    smtpUrl,
    mailFrom: mailFrom ?? LOCAL_SENDER,
    /** Undefined: replies go to the sender. */
    mailReplyTo: SETTINGS.MAIL_REPLY_TO.read(env) ?? undefined,
    /** The postal address in the footer of campaigns. */
    mailAddress: SETTINGS.MAIL_ADDRESS.read(env) ?? undefined,
    webhooks: { allowLocal: SETTINGS.WEBHOOK_ALLOW_LOCAL.read(env) ?? false },
    agentDocs: SETTINGS.AGENT_DOCS.read(env) ?? false,
    welcomeEmail: SETTINGS.WELCOME_EMAIL.read(env) ?? true,
    confirm: SETTINGS.CONFIRM.read(env) ?? false,
    invites: readInvites(env),
    share: readShare(env),
    verifyHuman: readVerifyHuman(env),
    blockDisposable: SETTINGS.BLOCK_DISPOSABLE.read(env) ?? false,
    checkMx: SETTINGS.CHECK_MX.read(env) ?? false,
    /** Null: no one is told how many people have joined. */
    signupCount: readSignupCount(env),
    mailEvents: readMailEvents(env),
    mailLanguage: SETTINGS.MAIL_LANGUAGE.read(env) ?? 'en',
    mailsPerHour: readMailsPerHour(env),
    publicUrl,
    fields: readFields(env),
    statusPage: SETTINGS.STATUS_PAGE.read(env) ?? false,
    texts: readPageTexts(env),
    brand: readBrand(env, publicUrl, readBrandFiles(env)),
    mailTemplates: resolved(SETTINGS.MAIL_TEMPLATES.read(env)),
    allowedOrigins: SETTINGS.ALLOWED_ORIGINS.read(env) ?? [],
    hostedForms: readHostedForms(env),
    trustProxy,
    retentionDays: SETTINGS.RETENTION_DAYS.read(env) ?? DEFAULT_RETENTION_DAYS,
    /** Null: there is no site, only the API is served. */
    siteDir: siteDir === 'none' ? null : resolved(siteDir),
    /** Undefined: pages of the site load its own files only. */
    sitePolicy: SETTINGS.SITE_POLICY.read(env) ?? undefined,
    embedDir: resolve(SETTINGS.EMBED_DIR.read(env) ?? builtScripts),
  };
}

/** The settings that are options of `createEarlyAccess`. */
export function pickAppOptions(config: Config) {
  const { adminEmail, publicUrl, allowedOrigins, trustProxy, brand, texts, fields, retentionDays } = config;
  const { invites, share, verifyHuman, mailEvents, webhooks, hostedForms, agentDocs, statusPage } = config;
  const { blockDisposable, checkMx, signupCount } = config;
  const requests = { adminEmail, publicUrl, allowedOrigins, trustProxy, brand, texts, fields, retentionDays };
  const parts = { invites, share, verifyHuman, mailEvents, webhooks, hostedForms, agentDocs, statusPage };
  return { ...requests, ...parts, blockDisposable, checkMx, signupCount };
}

function readSignupCount(env: Environment): SignupCountOptions | null {
  const smallest = SETTINGS.SIGNUP_COUNT.read(env);
  return smallest === null ? null : { smallest, rounding: SETTINGS.SIGNUP_COUNT_ROUNDING.read(env) ?? undefined };
}

export function readDataDir(env: Environment): string {
  return resolve(SETTINGS.DATA_DIR.read(env) ?? 'data');
}

export function dataPaths(dataDir: string): { database: string; mail: string } {
  return { database: join(dataDir, 'early-access.sqlite'), mail: join(dataDir, 'mail') };
}

function resolved(folder: string | null): string | null {
  return folder && resolve(folder);
}

function readHosts(env: Environment): readonly string[] {
  const host = SETTINGS.HOST.read(env);
  return host === null || host === 'localhost' ? LOCALHOST : [host];
}
