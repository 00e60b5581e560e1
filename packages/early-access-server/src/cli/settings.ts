import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type FieldDeclarations, isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { isAllowableOrigin } from '../app/access/origins.ts';
import { checkedFields } from '../app/fields.ts';
import { ConfigError } from '../app/host-mistakes.ts';
import { LANGUAGES } from '../app/language.ts';
import { DEFAULT_MAILS_PER_HOUR } from '../app/mail/mail-quota.ts';
import { reasonOf } from '../app/ports.ts';
import { SHORTEST_KEY } from '../app/secrets.ts';
import { senderAddress } from '../mail/address.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting, by its name in the environment. An empty value counts as not set; a secret's file often ends with a newline. */
export interface Setting<T> {
  /** Null if it is not set. Throws a `ConfigError` if it cannot be used. */
  read(env: Environment): T | null;
  /** Throws a `ConfigError` if it is not set, too. */
  require(env: Environment): T;
}

interface SettingRule<T> {
  /** The rule for the value, which follows the name in error messages. */
  readonly rule: string;
  /** Returns null if the value cannot be used. */
  readonly parse: (value: string) => T | null;
  /** The value is a secret or an address, so error messages, which may be logged, do not repeat it. */
  readonly isPrivate?: boolean;
}

export function setting<T>(name: string, { rule, parse, isPrivate = false }: SettingRule<T>): Setting<T> {
  function read(env: Environment): T | null {
    const value = env[name]?.trim();
    if (!value) return null;
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    // JSON has no line breaks, so the message is one line.
    throw new ConfigError(`${name} ${rule}${isPrivate ? '' : `, not ${JSON.stringify(value)}`}`);
  }
  function require(env: Environment): T {
    const value = read(env);
    if (value === null) throw new ConfigError(`${name} ${rule}`);
    return value;
  }
  return { read, require };
}

export function wholeNumber(name: string, min: number, max: number): Setting<number> {
  return setting(name, {
    rule: `must be a whole number from ${min} to ${max}`,
    parse: (value) => (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : null),
  });
}

export function onOrOff(name: string): Setting<boolean> {
  return setting(name, {
    rule: 'must be on or off',
    parse: (value) => (value === 'on' ? true : value === 'off' ? false : null),
  });
}

/** The settings that the self-hosted server and the Cloud Functions have in common. */
export const SETTINGS = {
  /** It may hold a password: never print it. */
  SMTP_URL: setting('SMTP_URL', {
    rule: 'must look like smtp://user:password@mail.example.com:587 (or smtps://)',
    parse: (value) => (urlOf(value, ['smtp:', 'smtps:'])?.hostname ? value : null),
    isPrivate: true,
  }),
  /** The sender as written in an email: an address, or a name and an address in angle brackets. */
  MAIL_FROM: setting('MAIL_FROM', {
    rule: 'must look like hello@example.com or Name <hello@example.com>',
    parse: (value) => (senderAddress(value) === null ? null : value),
    isPrivate: true,
  }),
  PUBLIC_URL: setting('PUBLIC_URL', {
    rule: 'must look like https://www.example.com',
    parse: (value) => urlOf(value, ['http:', 'https:']),
  }),
  ALLOWED_ORIGINS: setting('ALLOWED_ORIGINS', {
    rule: 'must list origins such as https://www.example.com, or https://*.example.com for any one label before .example.com',
    parse: (value) => {
      const origins = value
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean);
      return origins.every(isAllowableOrigin) ? origins : null;
    },
  }),
  /** One address or several, normalised and separated by commas. */
  ADMIN_EMAIL: setting('ADMIN_EMAIL', {
    rule: 'must be an email address, several separated by commas, or empty',
    parse: (value) => (value.split(',').every(isValidEmail) ? value.split(',').map(normalizeEmail).join(',') : null),
    isPrivate: true,
  }),
  /** Whether signups have to be confirmed by email. */
  CONFIRM: onOrOff('CONFIRM'),
  /** The product's page that invitations lead to. */
  INVITE_URL: setting('INVITE_URL', {
    rule: 'must look like https://app.example.com/join',
    parse: (value) => urlOf(value, ['http:', 'https:']),
  }),
  /** The key with which the product's back end redeems invitations. */
  INVITE_KEY: setting('INVITE_KEY', {
    rule: `must have at least ${SHORTEST_KEY} characters, such as those that "openssl rand -hex 32" prints`,
    parse: (value) => (/^[\x21-\x7e]+$/.test(value) && value.length >= SHORTEST_KEY ? value : null),
    isPrivate: true,
  }),
  WEBHOOK_ALLOW_LOCAL: onOrOff('WEBHOOK_ALLOW_LOCAL'),
  MAIL_LANGUAGE: setting('MAIL_LANGUAGE', {
    rule: `must be one of ${LANGUAGES.join(', ')}`,
    parse: (value) => LANGUAGES.find((language) => language === value) ?? null,
  }),
  /** It may hold a password: never print it. */
  DATABASE_URL: setting('DATABASE_URL', {
    rule: 'must look like postgres://user:password@db.example.com:5432/database, with special characters of the password percent-encoded',
    parse: (value) => {
      const url = urlOf(value, ['postgres:', 'postgresql:']);
      return url?.hostname && url.pathname.length > 1 && isPercentEncoded(url) ? value : null;
    },
    isPrivate: true,
  }),
  MAILS_PER_HOUR: wholeNumber('MAILS_PER_HOUR', 1, 1_000_000),
} as const;

/** The fields that the signup form has besides the address. Throws a `ConfigError` that names the file and the field. */
export function readFields({ SIGNUP_FIELDS }: Environment): FieldDeclarations {
  return SIGNUP_FIELDS ? readFieldsFile(resolve(SIGNUP_FIELDS)) : {};
}

/** Null unless both settings are there. Throws a `ConfigError` if only one is. */
export function readInvites(env: Environment): { readonly url: URL; readonly key: string } | null {
  const [url, key] = [SETTINGS.INVITE_URL.read(env), SETTINGS.INVITE_KEY.read(env)];
  if (url !== null && key !== null) return { url, key };
  if (url === null && key === null) return null;
  throw new ConfigError('INVITE_URL and INVITE_KEY belong together: set both, or neither');
}

export function readMailsPerHour(env: Environment): number {
  return SETTINGS.MAILS_PER_HOUR.read(env) ?? DEFAULT_MAILS_PER_HOUR;
}

export function urlOf(value: string, protocols: readonly string[]): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url && protocols.includes(url.protocol) ? url : null;
}

function isPercentEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Reads the declaration of the form's fields from a JSON file. Throws a `ConfigError` that says what is wrong with it. */
export function readFieldsFile(file: string): FieldDeclarations {
  let declared: unknown;
  try {
    declared = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`SIGNUP_FIELDS: ${file} must be a JSON file that can be read: ${reasonOf(error)}`);
  }
  try {
    return checkedFields(declared);
  } catch (error) {
    throw new ConfigError(`SIGNUP_FIELDS: ${file}: ${reasonOf(error)}`);
  }
}
