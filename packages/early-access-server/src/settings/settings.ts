import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FieldDeclarations } from 'early-access-kit/core';
import type { HostedForms } from '../app/access/form-frames.ts';
import type { BrandFiles } from '../app/brand/brand.ts';
import { parseDataUrl, toFontUrl, toMarkUrl } from '../app/brand/brand-files.ts';
import { ConfigError } from '../app/config-error.ts';
import { DEFAULT_MAILS_PER_HOUR } from '../app/mail/mail-quota.ts';
import type { MailEventOptions } from '../app/mail-events/receivers.ts';
import type { SignupCountOptions } from '../app/people/signup-count.ts';
import { describeError } from '../app/ports/log.ts';
import type { ShareOptions } from '../app/share/describe-share.ts';
import { type AddressRules, readDomainRules } from '../app/signup/address-check.ts';
import { checkedFields } from '../app/signup/fields.ts';
import type { ServerTexts } from '../http/pages/page-texts.ts';
import type { Environment } from './setting.ts';
import { SETTINGS } from './setting-list.ts';
import { readJsonFile, readTextFile } from './text-file.ts';

/** The fields of the signup form besides the address. Throws a `ConfigError` that names the file and the field. */
export function readFields(env: Environment): FieldDeclarations {
  const file = SETTINGS.SIGNUP_FIELDS.read(env);
  return file === null ? {} : readFieldsFile(resolve(file));
}

/** The parts of the brand that are stored in files. Throws a `ConfigError` that names an unreadable file. */
export function readBrandFiles(env: Environment): BrandFiles {
  const styles = SETTINGS.BRAND_STYLES.read(env);
  const mark = SETTINGS.BRAND_MARK.read(env);
  const font = SETTINGS.BRAND_FONT.read(env);
  const [prefix = ''] = (font !== null && FAMILIES.exec(font)) || [];
  return {
    ...(styles !== null && { styles: readFileOf('BRAND_STYLES', 'a CSS file', styles, readTextFile) }),
    ...(mark !== null && {
      mark: toMarkUrl(parseDataUrl(mark) ?? readFileOf('BRAND_MARK', 'an SVG or PNG file', mark, readBytes)),
    }),
    ...(font !== null && {
      font: {
        families: prefix.slice(0, -1).trim() || 'Brand',
        file: toFontUrl(readFileOf('BRAND_FONT', 'a WOFF2 file', font.slice(prefix.length).trim(), readBytes)),
      },
    }),
  };
}

const readBytes = (file: string) => readFileSync(file);

/** The font families before the file name. A path that contains an equals sign must start with a dot. */
const FAMILIES = /^[^=/\\.:]*=/;

/** Makes the file path in a setting's value absolute, relative to `folder`. */
export function resolveFile(value: string, folder: string): string {
  if (parseDataUrl(value) !== null) return value;
  const [families = ''] = FAMILIES.exec(value) ?? [];
  return families + resolve(folder, value.slice(families.length).trim());
}

function readFileOf<T>(setting: string, kind: string, file: string, read: (file: string) => T): T {
  try {
    return read(resolve(file));
  } catch (error) {
    throw new ConfigError(`${setting}: ${file} must be ${kind} that can be read: ${describeError(error)}`);
  }
}

/** The options of the public routes, for every store. */
export function readPublicRoutes(env: Environment) {
  return {
    allowedOrigins: SETTINGS.ALLOWED_ORIGINS.read(env) ?? [],
    blockDisposable: SETTINGS.BLOCK_DISPOSABLE.read(env) ?? false,
    addressRules: readAddressRules(env),
    checkMx: SETTINGS.CHECK_MX.read(env) ?? false,
    countryHeader: SETTINGS.COUNTRY_HEADER.read(env) ?? undefined,
    signupCount: readSignupCount(env),
    hostedForms: readHostedForms(env),
    statusPage: SETTINGS.STATUS_PAGE.read(env) ?? false,
    agentDocs: SETTINGS.AGENT_DOCS.read(env) ?? false,
  };
}

/** Throws a `ConfigError` if the rules contradict each other. */
function readAddressRules(env: Environment): AddressRules {
  const rules = {
    accept: SETTINGS.ACCEPT_DOMAINS.read(env) ?? [],
    block: SETTINGS.BLOCK_DOMAINS.read(env) ?? [],
    disposable: SETTINGS.DISPOSABLE_DOMAINS.read(env) ?? [],
    businessOnly: SETTINGS.BUSINESS_ONLY.read(env) ?? false,
  };
  readDomainRules(rules, SETTINGS.BLOCK_DISPOSABLE.read(env) ?? false);
  return rules;
}

/** Undefined: the signup count is not public. */
function readSignupCount(env: Environment): SignupCountOptions | undefined {
  const smallest = SETTINGS.SIGNUP_COUNT.read(env);
  return smallest === null ? undefined : { smallest, rounding: SETTINGS.SIGNUP_COUNT_ROUNDING.read(env) ?? undefined };
}

function readHostedForms(env: Environment): HostedForms {
  return {
    joinPage: SETTINGS.JOIN_PAGE.read(env) ?? false,
    origins: SETTINGS.FORM_ORIGINS.read(env) ?? [],
    keys: SETTINGS.FORM_KEYS.read(env) ?? {},
  };
}

/** Returns null unless both settings are set. Throws a `ConfigError` if only one is. */
export function readInvites(env: Environment): { readonly url: URL; readonly key: string } | null {
  const [url, key] = [SETTINGS.INVITE_URL.read(env), SETTINGS.INVITE_KEY.read(env)];
  if (url !== null && key !== null) return { url, key };
  if (url === null && key === null) return null;
  throw new ConfigError('INVITE_URL and INVITE_KEY belong together: set both, or neither');
}

/** Null: the metrics are off. */
export function readMetrics(env: Environment): { readonly key: string } | null {
  const key = SETTINGS.METRICS_KEY.read(env);
  return key === null ? null : { key };
}

/** Null: there are no share links. Throws a `ConfigError` if a required setting is missing. */
export function readShare(env: Environment): ShareOptions | null {
  const [share, showPlaces] = [SETTINGS.SHARE.read(env) ?? false, SETTINGS.SHOW_PLACES.read(env) ?? false];
  if (share && !SETTINGS.CONFIRM.read(env)) {
    throw new ConfigError('SHARE=on requires CONFIRM=on: a friend only counts once they have confirmed their address');
  }
  if (showPlaces && !share) throw new ConfigError('SHOW_PLACES=on requires SHARE=on: share links move people ahead');
  return share ? { showPlaces } : null;
}

/** The secrets that verify reports of bounces and complaints. Null for providers whose reports are not accepted. */
export function readMailEvents(env: Environment): MailEventOptions {
  return {
    ses: SETTINGS.SES_TOPIC_ARN.read(env),
    postmark: SETTINGS.POSTMARK_WEBHOOK_KEY.read(env),
    resend: SETTINGS.RESEND_WEBHOOK_SECRET.read(env),
    mailgun: SETTINGS.MAILGUN_SIGNING_KEY.read(env),
    brevo: SETTINGS.BREVO_WEBHOOK_KEY.read(env),
  };
}

export function readMailsPerHour(env: Environment): number {
  return SETTINGS.MAILS_PER_HOUR.read(env) ?? DEFAULT_MAILS_PER_HOUR;
}

/** The host's texts for the server's pages. Their keys are checked later. */
export function readPageTexts(env: Environment): ServerTexts {
  const file = SETTINGS.PAGE_TEXTS.read(env);
  return file === null ? {} : readJsonFile('PAGE_TEXTS', resolve(file));
}

/** Reads the declaration of the form's fields from a JSON file. Throws a `ConfigError` that explains what is wrong. */
export function readFieldsFile(file: string): FieldDeclarations {
  const declared = readJsonFile('SIGNUP_FIELDS', file);
  try {
    return checkedFields(declared);
  } catch (error) {
    throw new ConfigError(`SIGNUP_FIELDS: ${file}: ${describeError(error)}`);
  }
}
