import type { HostedForms } from '../../app/access/form-frames.ts';
import { DEFAULT_RATE_LIMITS } from '../../app/access/rate-limits.ts';
import { type Brand, checkBrand } from '../../app/brand/brand.ts';
import { ConfigError } from '../../app/config-error.ts';
import type { MailEventOptions } from '../../app/mail-events/receivers.ts';
import { findMeantLink } from '../../app/people/meant-link.ts';
import type { SignupCountOptions } from '../../app/people/signup-count.ts';
import type { ShareOptions } from '../../app/share/describe-share.ts';
import type { AddressRules } from '../../app/signup/address-check.ts';
import { findMisspelled } from '../../app/text/nearest-name.ts';
import type { Setting } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/setting-list.ts';
import type { RouteContextOptions } from '../routing/request-context.ts';
import type { EarlyAccessOptions, InviteOptions, MailOptions, MetricsOptions } from './options.ts';

/** Throws a `ConfigError` if the value, which is not null or undefined, is invalid. The error calls it `name`. */
type Check = (value: unknown, name: string) => void;

/** One check per option, so that the compiler finds a missing one and any other name is unknown. */
type Checks<T> = Readonly<Record<keyof Required<T>, Check>>;

/** Checks an option with the rule of the equivalent setting. */
const asSetting =
  (setting: Setting<unknown>): Check =>
  (value, name) => {
    const text = Array.isArray(value) || value instanceof Set ? [...value].join(',') : String(value);
    if (text.trim() !== '') setting.parse(text.trim(), `${name} (${setting.name})`);
  };

const asUrl =
  (setting: Setting<URL>): Check =>
  (value, name) => {
    asSetting(setting)(value, name);
    if (!(value instanceof URL)) throw new ConfigError(`${name} must be a URL object, such as new URL('${value}')`);
  };

const checkEach =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, name) =>
    checkGroup(Object(value), checks, `${name}.`);

/** For values that are fully described by their type, or checked where they are used. */
const unchecked: Check = () => {};

const HANDLER_CHECKS: Checks<RouteContextOptions> = {
  clock: unchecked,
  log: unchecked,
  publicUrl: asUrl(SETTINGS.PUBLIC_URL),
  brand: checkEach({
    name: unchecked,
    url: unchecked,
    colors: unchecked,
    logo: unchecked,
    mark: unchecked,
    font: unchecked,
    radius: unchecked,
    picture: unchecked,
    styles: unchecked,
  } satisfies Checks<Brand>),
  texts: unchecked,
  fields: unchecked,
  allowedOrigins: asSetting(SETTINGS.ALLOWED_ORIGINS),
  hostedForms: checkEach({
    joinPage: unchecked,
    origins: asSetting(SETTINGS.FORM_ORIGINS),
    keys: (value, name) =>
      asSetting(SETTINGS.FORM_KEYS)(
        Object.entries(Object(value)).map((entry) => entry.join(':')),
        name,
      ),
  } satisfies Checks<HostedForms>),
  blockDisposable: unchecked,
  addressRules: checkEach({
    accept: asSetting(SETTINGS.ACCEPT_DOMAINS),
    block: asSetting(SETTINGS.BLOCK_DOMAINS),
    disposable: asSetting(SETTINGS.DISPOSABLE_DOMAINS),
    businessOnly: unchecked,
  } satisfies Checks<AddressRules>),
  checkMx: unchecked,
  trustProxy: asSetting(SETTINGS.TRUST_PROXY),
  countryHeader: asSetting(SETTINGS.COUNTRY_HEADER),
  rateLimits: checkEach(Object.fromEntries(Object.keys(DEFAULT_RATE_LIMITS).map((name) => [name, unchecked]))),
  rateLimiter: unchecked,
  isReached: unchecked,
};

const OPTION_CHECKS: Checks<EarlyAccessOptions> = {
  ...HANDLER_CHECKS,
  statusPage: unchecked,
  newLinkMs: unchecked,
  store: unchecked,
  adminEmail: asSetting(SETTINGS.ADMIN_EMAIL),
  invites: checkEach({
    url: asUrl(SETTINGS.INVITE_URL),
    key: asSetting(SETTINGS.INVITE_KEY),
  } satisfies Checks<InviteOptions>),
  share: checkEach({ showPlaces: unchecked } satisfies Checks<ShareOptions>),
  mailEvents: checkEach({
    ses: asSetting(SETTINGS.SES_TOPIC_ARN),
    postmark: asSetting(SETTINGS.POSTMARK_WEBHOOK_KEY),
    resend: asSetting(SETTINGS.RESEND_WEBHOOK_SECRET),
    mailgun: asSetting(SETTINGS.MAILGUN_SIGNING_KEY),
    brevo: asSetting(SETTINGS.BREVO_WEBHOOK_KEY),
    fetchText: unchecked,
  } satisfies Checks<MailEventOptions>),
  verifyHuman: unchecked,
  signupCount: checkEach({
    smallest: asSetting(SETTINGS.SIGNUP_COUNT),
    rounding: asSetting(SETTINGS.SIGNUP_COUNT_ROUNDING),
  } satisfies Checks<SignupCountOptions>),
  site: unchecked,
  embed: unchecked,
  dashboard: unchecked,
  agentDocs: unchecked,
  metrics: checkEach({ key: asSetting(SETTINGS.METRICS_KEY) } satisfies Checks<MetricsOptions>),
  sessionCookie: unchecked,
  mail: checkEach({
    transport: unchecked,
    from: asSetting(SETTINGS.MAIL_FROM),
    replyTo: asSetting(SETTINGS.MAIL_REPLY_TO),
    postalAddress: asSetting(SETTINGS.MAIL_ADDRESS),
    templates: unchecked,
    language: asSetting(SETTINGS.MAIL_LANGUAGE),
    folder: unchecked,
  } satisfies Checks<MailOptions>),
  webhooks: checkEach({ allowLocal: unchecked, transport: unchecked }),
  retentionDays: (value, name) => value === 'by-database' || asSetting(SETTINGS.RETENTION_DAYS)(value, name),
  queueSignIn: unchecked,
  signInDelayMs: unchecked,
  onSignInLink: unchecked,
  onMailLink: unchecked,
};

/**
 * Validates the options of `createEarlyAccess`. Throws a `ConfigError` with the first invalid option, or with the
 * equivalent setting and its rule.
 */
export function checkOptions(options: EarlyAccessOptions): EarlyAccessOptions {
  const mistake = findMistake(options);
  if (mistake) throw new ConfigError(`early-access-server: createEarlyAccess: ${mistake}`);
  if (options.share && !options.store.confirm) {
    throw new ConfigError(
      'early-access-server: createEarlyAccess: share (SHARE): a friend only counts once they have confirmed, so give the store confirm: true',
    );
  }
  const checked = normalizeOptions(options, OPTION_CHECKS, 'createEarlyAccess');
  const { invites, publicUrl } = checked;
  if (invites && invites.url.origin === publicUrl?.origin && findMeantLink(invites.url.pathname)?.page === 'invite') {
    throw new ConfigError(
      'early-access-server: createEarlyAccess: invites.url (INVITE_URL) must be a page of the product: /invite is the page of this server that leads to it',
    );
  }
  return checked;
}

/** Returns a sentence about a mistake that TypeScript would have found, or null. */
function findMistake(options: unknown): string | null {
  if (options instanceof Promise) return 'the options are a promise: await optionsFromEnv(…)';
  if (isStore(options)) return 'this is a store: pass it as an option, createEarlyAccess({ store })';
  const store = read(options, 'store');
  if (store instanceof Promise) return 'store is a promise: await it';
  if (!isStore(store)) {
    return 'store must be a store, such as sqliteStore({ file }); optionsFromEnv, which has to be awaited, opens one';
  }
  const mail = read(options, 'mail');
  if (mail === undefined || mail === null) return null;
  if (!read(mail, 'from')) return 'mail.from (MAIL_FROM) is missing: the address that emails come from';
  if (typeof read(read(mail, 'transport'), 'deliver') === 'function') return null;
  return 'mail.transport must be a transport, such as smtpTransport({ url })';
}

/** Includes inherited properties, because a host's store may be a class instance. */
const read = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

const isStore = (value: unknown) => typeof read(value, 'createSignup') === 'function';

export function checkHandlerOptions(options: RouteContextOptions): RouteContextOptions {
  return normalizeOptions(options, HANDLER_CHECKS, 'createHandler');
}

function normalizeOptions<T extends RouteContextOptions>(
  given: T,
  checks: Readonly<Record<string, Check>>,
  caller: string,
): T {
  const { brand, allowedOrigins } = given;
  // Read only once, because an iterator can be consumed only once.
  const origins = typeof allowedOrigins === 'string' ? allowedOrigins : allowedOrigins && [...allowedOrigins].join(',');
  try {
    checkGroup({ ...given, allowedOrigins: origins }, checks);
    if (brand) checkBrand({ ...brand, url: brand.url ?? 'http://localhost' });
    if (origins === undefined) return given;
    return { ...given, allowedOrigins: SETTINGS.ALLOWED_ORIGINS.read({ ALLOWED_ORIGINS: origins }) ?? [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`early-access-server: ${caller}: ${error.message}`);
  }
}

function checkGroup(given: object, checks: Readonly<Record<string, Check>>, path = ''): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const meant = findMisspelled(name, Object.keys(checks));
      throw new ConfigError(`there is no option ${path}${name}${meant ? `; did you mean ${path}${meant}?` : ''}`);
    }
    check(value, path + name);
  }
}
