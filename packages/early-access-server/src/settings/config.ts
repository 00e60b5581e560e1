import { join, resolve } from 'node:path';
import { isLoopback } from '../app/access/loopback.ts';
import { readBrand } from '../app/brand/brand.ts';
import { ConfigError } from '../app/config-error.ts';
import { DEFAULT_RETENTION_DAYS } from '../app/jobs/retention.ts';
import { readVerifyHuman } from './human-settings.ts';
import type { Environment } from './setting.ts';
import { SETTINGS } from './setting-list.ts';
import {
  readBrandFiles,
  readFields,
  readInvites,
  readMailEvents,
  readMailsPerHour,
  readMetrics,
  readPageTexts,
  readPublicRoutes,
  readShare,
} from './settings.ts';

/** The server's parsed settings. `smtpUrl` and `databaseUrl` may contain passwords: never print them. */
export type Config = ReturnType<typeof readConfig>;

/** A well-known address is harmless on a local run, because nobody else can read the summary. */
const LOCAL_ADMIN = 'admin@example.com';
const LOCAL_SENDER = 'Early access <hello@example.com>';
/** Browsers may resolve `localhost` to either. */
const LOCALHOST = ['127.0.0.1', '::1'];

/**
 * Reads the settings. Throws a `ConfigError` for the first invalid one. `builtScripts` is served unless `EMBED_DIR`
 * specifies another folder.
 */
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
    /** Only the first one is required to work. */
    hosts,
    /** True if only this machine can reach the server, and it sends no emails. */
    isLocalRun,
    dataDir: readDataDir(env),
    /** Null: SQLite in `dataDir`. */
    databaseUrl,
    /** Keeps everything in memory; anyone may see a dashboard with sample data. */
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
    welcomeEmail: SETTINGS.WELCOME_EMAIL.read(env) ?? true,
    confirm: SETTINGS.CONFIRM.read(env) ?? false,
    invites: readInvites(env),
    share: readShare(env),
    metrics: readMetrics(env),
    verifyHuman: readVerifyHuman(env),
    mailEvents: readMailEvents(env),
    mailLanguage: SETTINGS.MAIL_LANGUAGE.read(env) ?? 'en',
    mailsPerHour: readMailsPerHour(env),
    publicUrl,
    fields: readFields(env),
    texts: readPageTexts(env),
    brand: readBrand(env, publicUrl, readBrandFiles(env)),
    mailTemplates: resolved(SETTINGS.MAIL_TEMPLATES.read(env)),
    ...readPublicRoutes(env),
    trustProxy,
    retentionDays: SETTINGS.RETENTION_DAYS.read(env) ?? DEFAULT_RETENTION_DAYS,
    /** Null: there is no site; only the API is served. */
    siteDir: siteDir === 'none' ? null : resolved(siteDir),
    /** Undefined: the site's pages only load its own files. */
    sitePolicy: SETTINGS.SITE_POLICY.read(env) ?? undefined,
    embedDir: resolve(SETTINGS.EMBED_DIR.read(env) ?? builtScripts),
  };
}

/** The settings that are options of `createEarlyAccess`. */
export function pickAppOptions(config: Config) {
  const { allowedOrigins, trustProxy, brand, texts, fields, retentionDays, blockDisposable, checkMx } = config;
  const { mailEvents, webhooks, hostedForms, agentDocs, statusPage, addressRules, countryHeader } = config;
  return {
    ...{ allowedOrigins, trustProxy, brand, texts, fields, retentionDays, blockDisposable, checkMx },
    ...{ mailEvents, webhooks, hostedForms, agentDocs, statusPage, addressRules, countryHeader },
    adminEmail: config.adminEmail ?? undefined,
    publicUrl: config.publicUrl ?? undefined,
    invites: config.invites ?? undefined,
    share: config.share ?? undefined,
    metrics: config.metrics ?? undefined,
    verifyHuman: config.verifyHuman ?? undefined,
    signupCount: config.signupCount,
  };
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
