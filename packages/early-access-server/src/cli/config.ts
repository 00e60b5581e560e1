import { resolve } from 'node:path';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { isAllowableOrigin } from '../app/access/origins.ts';
import { ConfigError } from '../app/config-error.ts';
import { DEFAULT_MAILS_PER_HOUR } from '../app/mail/mail-quota.ts';
import { senderAddress } from '../mail/sender.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the server is started with. */
export interface Config {
  readonly port: number;
  /** Addresses to listen on; the first one has to work. */
  readonly hosts: readonly string[];
  /** Absolute path of the folder of the database and the outgoing mail. */
  readonly dataDir: string;
  /** Null: the summary is off. */
  readonly adminEmail: string | null;
  /** Null: mail is written to files. It may hold a password: never print it. */
  readonly smtpUrl: string | null;
  /** Sender, as it stands in a mail: an address, or a name and an address in angle brackets. */
  readonly mailFrom: string;
  /** Delivery attempts of welcome emails per hour; what exceeds it waits. */
  readonly mailsPerHour: number;
  readonly publicUrl: URL | null;
  readonly allowedOrigins: readonly string[];
  /** Number of trusted proxies in front. */
  readonly trustProxy: number;
  readonly retentionDays: number;
  /** Null: there is no site, only the API is served. */
  readonly siteDir: string | null;
  /** Folder of the scripts for pages of other sites. */
  readonly embedDir: string;
}

/** The folders that the builds of this workspace write. */
export interface Folders {
  readonly siteDir: string;
  readonly embedDir: string;
}

/** On a purely local run nobody else can read the summary, so a known address does no harm. */
const LOCAL_ADMIN = 'admin@example.com';
const LOCAL_SENDER = 'PrintMargin <hello@printmargin.example>';
/** `localhost` is either of these, as the browser likes. */
const LOCALHOST = ['127.0.0.1', '::1'];
/** The summary's window of 30 days reads sessions, so that they must outlive it. */
const SHORTEST_RETENTION_DAYS = 31;

/** Reads the settings. Throws a `ConfigError` for the first that cannot be used. An empty one counts as not set. */
export function readConfig(env: Environment, folders: Folders): Config {
  const hosts = readHosts(env);
  const smtpUrl = readSmtpUrl(env);
  const publicUrl = readPublicUrl(env);
  const trustProxy = readWhole(env, 'TRUST_PROXY', 0, 0, 10);
  if (smtpUrl !== null && !env.MAIL_FROM) {
    throw new ConfigError('SMTP_URL is set, so that MAIL_FROM must be too: the address that mail comes from');
  }
  if (smtpUrl !== null && publicUrl === null) {
    throw new ConfigError(
      'SMTP_URL is set, so PUBLIC_URL must be set too: where the links in the mail lead, such as https://www.example.com',
    );
  }
  const isLocalRun = hosts.every(isLoopback) && publicUrl === null && trustProxy === 0 && smtpUrl === null;
  return {
    port: readWhole(env, 'PORT', 4_173, 0, 65_535),
    hosts,
    dataDir: readDataDir(env),
    adminEmail: readAdminEmail(env) ?? (isLocalRun ? LOCAL_ADMIN : null),
    smtpUrl,
    mailFrom: readMailFrom(env),
    mailsPerHour: readMailsPerHour(env),
    publicUrl,
    allowedOrigins: readAllowedOrigins(env),
    trustProxy,
    retentionDays: readWhole(env, 'RETENTION_DAYS', 395, SHORTEST_RETENTION_DAYS, 36_500),
    siteDir: env.SITE_DIR === 'none' ? null : resolve(env.SITE_DIR || folders.siteDir),
    embedDir: resolve(env.EMBED_DIR || folders.embedDir),
  };
}

export function readDataDir(env: Environment): string {
  return resolve(env.DATA_DIR || 'data');
}

export function readMailsPerHour(env: Environment): number {
  return readWhole(env, 'MAILS_PER_HOUR', DEFAULT_MAILS_PER_HOUR, 1, 1_000_000);
}

function readWhole(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = env[name];
  if (!value) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw unusable(name, `must be a whole number from ${min} to ${max}`, value);
}

function readHosts({ HOST }: Environment): readonly string[] {
  return !HOST || HOST === 'localhost' ? LOCALHOST : [HOST];
}

function readAdminEmail({ ADMIN_EMAIL }: Environment): string | null {
  if (!ADMIN_EMAIL) return null;
  if (!isValidEmail(ADMIN_EMAIL)) throw unusable('ADMIN_EMAIL', 'must be an email address', ADMIN_EMAIL);
  return normalizeEmail(ADMIN_EMAIL);
}

function isLoopback(host: string): boolean {
  return host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function readSmtpUrl({ SMTP_URL }: Environment): string | null {
  if (!SMTP_URL) return null;
  const url = URL.canParse(SMTP_URL) ? new URL(SMTP_URL) : null;
  if (url && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname) return SMTP_URL;
  // The value is not repeated: it may hold a password.
  throw new ConfigError('SMTP_URL must look like smtp://user:password@mail.example.com:587 (or smtps://)');
}

function readMailFrom({ MAIL_FROM }: Environment): string {
  const from = MAIL_FROM || LOCAL_SENDER;
  if (senderAddress(from) !== null) return from;
  throw unusable('MAIL_FROM', 'must look like hello@example.com or Name <hello@example.com>', from);
}

function readPublicUrl({ PUBLIC_URL }: Environment): URL | null {
  if (!PUBLIC_URL) return null;
  const url = httpUrl(PUBLIC_URL);
  if (url) return url;
  throw unusable('PUBLIC_URL', 'must look like https://www.example.com', PUBLIC_URL);
}

function readAllowedOrigins({ ALLOWED_ORIGINS }: Environment): readonly string[] {
  const origins = (ALLOWED_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  return origins.filter(Boolean).map((origin) => {
    if (isAllowableOrigin(origin)) return origin;
    throw unusable(
      'ALLOWED_ORIGINS',
      'must list origins such as https://www.example.com, or https://*.example.com for any one label before .example.com',
      origin,
    );
  });
}

function httpUrl(value: string): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

/** The value as JSON, so that the message stays one line. */
function unusable(name: string, rule: string, value: string): ConfigError {
  return new ConfigError(`${name} ${rule}, not ${JSON.stringify(value)}`);
}
