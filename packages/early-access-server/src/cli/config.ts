import { resolve } from 'node:path';
import type { FieldDeclarations } from 'early-access-kit/core';
import { ConfigError } from '../app/access/host-mistakes.ts';
import { isLoopback } from '../app/access/loopback.ts';
import { type BrandOfSite, readBrand } from '../app/brand/brand.ts';
import type { Language } from '../app/brand/language.ts';
import type { VerifyHuman } from '../app/human/human-check.ts';
import { DEFAULT_RETENTION_DAYS } from '../app/jobs/retention.ts';
import type { InviteOptions } from '../http/server/options.ts';
import { readVerifyHuman } from './human-settings.ts';
import type { Environment } from './setting.ts';
import { SETTINGS } from './setting-list.ts';
import { readFields, readInvites, readMailsPerHour } from './settings.ts';

/** The parsed settings of the server. */
export interface Config {
  readonly port: number;
  /** Addresses to listen on; the first one has to work. */
  readonly hosts: readonly string[];
  /** Only this machine can reach the server, and it sends no emails. */
  readonly isLocalRun: boolean;
  /** Absolute path of the folder of the database and the outgoing mail. */
  readonly dataDir: string;
  /** The Postgres database that stores everything but outgoing mail. Null: SQLite in `dataDir`. It may hold a password: never print it. */
  readonly databaseUrl: string | null;
  /** One address or several, separated by commas. Null: the summary and the dashboard are off. */
  readonly adminEmail: string | null;
  /** Null: emails are written to files. It may hold a password: never print it. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Where replies go. Undefined: to the sender. */
  readonly mailReplyTo: string | undefined;
  /** The postal address in the footer of campaigns; undefined if there is none. */
  readonly mailAddress: string | undefined;
  /** False: new signups queue no welcome email. */
  readonly welcomeEmail: boolean;
  /** `allowLocal`: webhooks may lead to this machine and its networks. */
  readonly webhooks: { readonly allowLocal: boolean };
  /** Whether signups have to be confirmed by email. */
  readonly confirm: boolean;
  /** Null: there are no invitations. */
  readonly invites: InviteOptions | null;
  /** The check that signups of pages have to pass; null if there is none. */
  readonly verifyHuman: VerifyHuman | null;
  readonly mailLanguage: Language;
  /** Delivery attempts per hour; further messages wait. */
  readonly mailsPerHour: number;
  readonly publicUrl: URL | null;
  /** The fields that the signup form has besides the address. */
  readonly fields: FieldDeclarations;
  readonly brand: BrandOfSite;
  /** Absolute path of the folder of the email templates; null: the default emails. */
  readonly mailTemplates: string | null;
  readonly allowedOrigins: readonly string[];
  /** Number of trusted proxies in front. */
  readonly trustProxy: number;
  readonly retentionDays: number;
  /** Null: there is no site, only the API is served. */
  readonly siteDir: string | null;
  /** Folder of the scripts for pages of other sites. */
  readonly embedDir: string;
}

/** On a purely local run no one else can read the summary, so a known address does no harm. */
const LOCAL_ADMIN = 'admin@example.com';
const LOCAL_SENDER = 'Early access <hello@example.com>';
/** `localhost` is either of these; the browser chooses. */
const LOCALHOST = ['127.0.0.1', '::1'];

/** Reads the settings. Throws a `ConfigError` for the first that cannot be used. `builtScripts` is served unless `EMBED_DIR` names another folder. */
export function readConfig(env: Environment, builtScripts: string): Config {
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
  const isLocalRun = hosts.every(isLoopback) && publicUrl === null && trustProxy === 0 && smtpUrl === null;
  return {
    port: SETTINGS.PORT.read(env) ?? 4_173,
    hosts,
    isLocalRun,
    dataDir: readDataDir(env),
    databaseUrl: SETTINGS.DATABASE_URL.read(env),
    adminEmail: SETTINGS.ADMIN_EMAIL.read(env) ?? (isLocalRun ? LOCAL_ADMIN : null),
    smtpUrl,
    mailFrom: mailFrom ?? LOCAL_SENDER,
    mailReplyTo: SETTINGS.MAIL_REPLY_TO.read(env) ?? undefined,
    mailAddress: SETTINGS.MAIL_ADDRESS.read(env) ?? undefined,
    webhooks: { allowLocal: SETTINGS.WEBHOOK_ALLOW_LOCAL.read(env) ?? false },
    welcomeEmail: SETTINGS.WELCOME_EMAIL.read(env) ?? true,
    confirm: SETTINGS.CONFIRM.read(env) ?? false,
    invites: readInvites(env),
    verifyHuman: readVerifyHuman(env),
    mailLanguage: SETTINGS.MAIL_LANGUAGE.read(env) ?? 'en',
    mailsPerHour: readMailsPerHour(env),
    publicUrl,
    fields: readFields(env),
    brand: readBrand(env, publicUrl),
    mailTemplates: resolved(SETTINGS.MAIL_TEMPLATES.read(env)),
    allowedOrigins: SETTINGS.ALLOWED_ORIGINS.read(env) ?? [],
    trustProxy,
    retentionDays: SETTINGS.RETENTION_DAYS.read(env) ?? DEFAULT_RETENTION_DAYS,
    siteDir: siteDir === 'none' ? null : resolved(siteDir),
    embedDir: resolve(SETTINGS.EMBED_DIR.read(env) ?? builtScripts),
  };
}

export function readDataDir(env: Environment): string {
  return resolve(SETTINGS.DATA_DIR.read(env) ?? 'data');
}

function resolved(folder: string | null): string | null {
  return folder && resolve(folder);
}

function readHosts(env: Environment): readonly string[] {
  const host = SETTINGS.HOST.read(env);
  return host === null || host === 'localhost' ? LOCALHOST : [host];
}
