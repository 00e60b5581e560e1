import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import * as z from 'zod';
import { parseAllowedOrigin } from '../app/access/origins.ts';
import { SHORTEST_KEY } from '../app/access/secrets.ts';
import { LANGUAGES } from '../app/brand/language.ts';
import { TOPIC_ARN } from '../app/mail-events/sns.ts';
import { parseDomain } from '../app/signup/address-check.ts';
import { parseMailbox } from '../mail/address.ts';
import { defineChoice, defineList, onOrOff, origin, Setting, text, textSetting, url, wholeNumber } from './setting.ts';

/** The source of signups (stores accept up to 64 characters) and the key. */
const FORM_KEY = /^[\w-]{1,64}:[\w-]{20,64}$/;
const MAX_POSTAL_ADDRESS = 300;
export const HUMAN_CHECKS = ['turnstile', 'hcaptcha', 'proof-of-work', 'off'] as const;

/**
 * Every setting, starting with those that a new admin needs. The server, its commands, `--help`, the file written by
 * `init`, the documentation and the parameters of the Cloud Functions are derived from this list.
 */
export const SETTINGS = {
  ADMIN_EMAIL: new Setting('ADMIN_EMAIL', {
    fallback: '`admin@example.com` on a local run',
    meaning:
      "the admin's address, or several separated by commas. Admins read the analytics summary, and sign in to the dashboard at `/admin` by an emailed link. The default needs loopback without `PUBLIC_URL`, `TRUST_PROXY` and `SMTP_URL`; otherwise there is no admin",
    example: 'you@example.com',
    schema: defineList(isValidEmail).transform((addresses) => addresses.map(normalizeEmail).join(',')),
    rule: 'must be an email address, several separated by commas, or empty',
    isPrivate: true,
  }),
  PUBLIC_URL: new Setting('PUBLIC_URL', {
    fallback: '`http://localhost:PORT`',
    meaning: 'where visitors reach this server: for links, previews and origin checks. Required with `SMTP_URL`',
    example: 'https://early.example.com',
    ...origin('https://www.example.com'),
  }),
  ALLOWED_ORIGINS: new Setting('ALLOWED_ORIGINS', {
    meaning:
      'other sites whose pages may use the API, separated by commas. `https://*.example.com` allows any one label. A local run allows `localhost` and `127.0.0.1` on any port. Refused origins are logged as `origin-refused`',
    example: 'https://www.example.com',
    ...originList(),
  }),
  /** May contain a password: never print it. */
  SMTP_URL: new Setting('SMTP_URL', {
    meaning:
      'the mail server. Without it, emails are `.eml` files in `DATA_DIR`, and only a local run lets anyone sign in to the dashboard',
    example: 'smtp://user:password@mail.example.com:587',
    schema: z.url({ protocol: /^smtps?$/, hostname: /./ }),
    rule: 'must look like smtp://user:password@mail.example.com:587 (or smtps://)',
    isPrivate: true,
  }),
  MAIL_FROM: new Setting('MAIL_FROM', {
    meaning: 'the sender of emails. Required with `SMTP_URL`',
    example: '"Acme <hello@example.com>"',
    schema: text((from) => parseMailbox(from) !== null),
    rule: 'must look like hello@example.com or Name <hello@example.com>',
    isPrivate: true,
  }),
  MAIL_REPLY_TO: new Setting('MAIL_REPLY_TO', {
    fallback: '`MAIL_FROM`',
    meaning: 'where replies and emailed requests to unsubscribe go',
    example: 'help@example.com',
    schema: text((address) => parseMailbox(address) !== null),
    rule: 'must look like help@example.com or Name <help@example.com>',
    isPrivate: true,
  }),
  MAIL_ADDRESS: new Setting('MAIL_ADDRESS', {
    meaning: 'your postal address on one line, for the footer of campaigns. The laws of many countries ask for it',
    example: '"Acme Inc., 1 Main Street, Springfield, IL 62701, USA"',
    document: 'launch-email.md',
    schema: text((address) => address.length <= MAX_POSTAL_ADDRESS && !/\p{Cc}/u.test(address)),
    rule: `must be one line of at most ${MAX_POSTAL_ADDRESS} characters`,
  }),
  BRAND_NAME: textSetting('BRAND_NAME', {
    fallback: 'host of `PUBLIC_URL`',
    meaning: "the product's name in emails and on result pages; `Early access` on a local run",
    example: 'Acme',
  }),
  CONFIRM: new Setting('CONFIRM', {
    fallback: '`off`',
    meaning: '`on`: a signup counts once it is confirmed by an emailed link',
    example: 'on',
    document: 'confirmation.md',
    ...onOrOff(),
  }),
  SHARE: new Setting('SHARE', {
    fallback: '`off`',
    meaning: '`on`: each person gets a link that counts friends who confirm. Requires `CONFIRM=on`',
    document: 'share.md',
    ...onOrOff(),
  }),
  SHOW_PLACES: new Setting('SHOW_PLACES', {
    fallback: '`off`',
    meaning: '`on`: people see their place in line. Requires `SHARE=on`',
    document: 'share.md#places',
    ...onOrOff(),
  }),
  STATUS_PAGE: new Setting('STATUS_PAGE', {
    fallback: '`off`',
    meaning:
      "`on`: emails link to each person's private page at `/status`, where they see and download their data, change their address, unsubscribe and erase themselves",
    document: 'status-page.md',
    ...onOrOff(),
  }),
  HUMAN_CHECK: new Setting('HUMAN_CHECK', {
    fallback: '`off`',
    meaning:
      '`turnstile`, `hcaptcha` or `proof-of-work`: scripts need its token to sign up, and forms without scripts are confirmed by email',
    document: 'human-checks.md',
    ...defineChoice(HUMAN_CHECKS),
  }),
  HUMAN_CHECK_SECRET: new Setting('HUMAN_CHECK_SECRET', {
    meaning:
      "the provider's secret key; for `proof-of-work` at least 32 characters of your own. Required with `HUMAN_CHECK`",
    document: 'human-checks.md',
    schema: z.string().regex(/^[\x21-\x7e]+$/),
    rule: 'must consist of printable characters without spaces',
    isPrivate: true,
  }),
  BLOCK_DISPOSABLE: new Setting('BLOCK_DISPOSABLE', {
    fallback: '`off`',
    meaning: '`on`: temporary mailboxes cannot sign up, by a list of 8,800 domains',
    document: 'addresses.md',
    ...onOrOff(),
  }),
  CHECK_MX: new Setting('CHECK_MX', {
    fallback: '`off`',
    meaning: '`on`: addresses cannot sign up if DNS says that their domain receives no email',
    document: 'addresses.md',
    ...onOrOff(),
  }),
  ACCEPT_DOMAINS: new Setting('ACCEPT_DOMAINS', {
    meaning:
      'domains whose addresses are always accepted, with their subdomains, separated by commas: before every other rule and DNS',
    document: 'addresses.md#your-own-rules',
    ...domainList(),
  }),
  BLOCK_DOMAINS: new Setting('BLOCK_DOMAINS', {
    meaning: 'domains whose addresses cannot sign up, with their subdomains, separated by commas',
    document: 'addresses.md#your-own-rules',
    ...domainList(),
  }),
  DISPOSABLE_DOMAINS: new Setting('DISPOSABLE_DOMAINS', {
    meaning:
      'more domains of temporary mailboxes, with their subdomains, separated by commas. Requires `BLOCK_DISPOSABLE=on`',
    document: 'addresses.md#your-own-rules',
    ...domainList(),
  }),
  BUSINESS_ONLY: new Setting('BUSINESS_ONLY', {
    fallback: '`off`',
    meaning: '`on`: addresses at providers of personal mailboxes cannot sign up, by a list of 8,700 domains',
    document: 'addresses.md#business-addresses-only',
    ...onOrOff(),
  }),
  SIGNUP_FIELDS: textSetting('SIGNUP_FIELDS', {
    meaning:
      'a JSON file that declares more fields of the form, for the server, `export` and `import`. The server does not start if the file contradicts itself',
    document: 'fields.md',
  }),
  JOIN_PAGE: new Setting('JOIN_PAGE', {
    fallback: '`off`',
    meaning: '`on`: the server has a signup page at `/join`, and at `/` unless it serves a site',
    document: 'builders.md',
    ...onOrOff(),
  }),
  FORM_ORIGINS: new Setting('FORM_ORIGINS', {
    meaning:
      'sites that may show the form at `/form` in an iframe, separated by commas. Others are logged as `frame-refused`',
    document: 'builders.md',
    ...originList(),
  }),
  FORM_KEYS: new Setting('FORM_KEYS', {
    meaning:
      '`source:key`, separated by commas, for `/form?key=…` on pages that share an origin or have none, such as Wix. The `source` is stored with each signup',
    document: 'builders.md#form-keys',
    schema: defineList((entry) => FORM_KEY.test(entry))
      .transform((entries) => entries.map((entry) => entry.split(':')))
      .refine((entries) => new Set(entries.map(([source]) => source)).size === entries.length)
      .transform((entries): Record<string, string> => Object.fromEntries(entries)),
    rule: 'must list a source and a key of at least 20 letters, digits, - and _ each, such as wix-shop:4hVt0qP9sLmZ2xYw7bKd, with sources that differ',
  }),
  PORT: new Setting('PORT', {
    fallback: '`4173`',
    meaning: 'port of the API, the scripts, the dashboard and the site',
    example: '4173',
    ...wholeNumber(0, 65_535),
  }),
  HOST: textSetting('HOST', {
    fallback: 'loopback',
    meaning: 'address to listen on; `0.0.0.0` for every address of the machine',
    example: '0.0.0.0',
  }),
  TRUST_PROXY: new Setting('TRUST_PROXY', {
    fallback: '`0`',
    meaning: 'number of proxies in front of the server that write `X-Forwarded-For`',
    example: '1',
    document: 'operate.md#behind-a-reverse-proxy',
    ...wholeNumber(0, 10),
  }),
  COUNTRY_HEADER: new Setting('COUNTRY_HEADER', {
    meaning:
      'the request header in which your platform names the country of a visitor, such as `CF-IPCountry` (Cloudflare) or `X-Vercel-IP-Country`. Without it no country is stored. Only name a header that your proxy always sets: others can be forged',
    example: 'CF-IPCountry',
    document: 'dashboard.md#countries',
    schema: text((name) => /^[\w-]{1,64}$/.test(name)),
    rule: 'must be the name of a header, such as CF-IPCountry',
  }),
  DATA_DIR: textSetting('DATA_DIR', {
    fallback: '`./data`',
    meaning: 'folder of the database and of `.eml` files',
    example: './data',
  }),
  /** May contain a password: never print it. */
  DATABASE_URL: new Setting('DATABASE_URL', {
    meaning:
      'a Postgres database for everything, instead of SQLite in `DATA_DIR`. Needs the package `pg`; special characters of the password are percent-encoded',
    example: 'postgres://user:password@db.example.com:5432/early_access',
    document: 'postgres.md',
    schema: text(isPostgresUrl),
    rule: 'must look like postgres://user:password@db.example.com:5432/database, with special characters of the password percent-encoded',
    isPrivate: true,
  }),
  BRAND_URL: textSetting('BRAND_URL', {
    fallback: '`PUBLIC_URL`',
    meaning: 'the page that emails link to',
  }),
  BRAND_COLOR: textSetting('BRAND_COLOR', {
    fallback: '`#1d4f91`',
    meaning: 'buttons and links, as `#rrggbb`. Readable colors of text and dark mode are derived from it',
  }),
  BRAND_BACKGROUND: textSetting('BRAND_BACKGROUND', {
    fallback: '`#f3f4f6`',
    meaning: 'behind the content, as `#rrggbb`',
  }),
  BRAND_MARK: textSetting('BRAND_MARK', {
    fallback: 'the name alone',
    meaning:
      'an SVG or PNG file, or a `data:` URL: a symbol before the name on pages and in the dashboard, and in emails if it is a PNG, because most mail programs show no SVG',
    document: 'look.md#one-brand-everywhere',
  }),
  BRAND_FONT: textSetting('BRAND_FONT', {
    fallback: "the system's",
    meaning:
      'a WOFF2 file, which the server serves, after its families if you like: `Acme Serif, Georgia, serif=acme.woff2`. Mail programs that load no fonts use the other families',
    document: 'look.md#one-brand-everywhere',
  }),
  BRAND_RADIUS: new Setting('BRAND_RADIUS', {
    fallback: '`8`',
    meaning: 'how round corners are, in pixels from 0 to 32: buttons and fields; sheets are half as round again',
    document: 'look.md#one-brand-everywhere',
    ...wholeNumber(0, 32),
  }),
  BRAND_LOGO: textSetting('BRAND_LOGO', {
    fallback: 'the name',
    meaning: 'https URL of a PNG, JPEG or GIF, shown 40 px high at the top of emails instead of mark and name',
  }),
  BRAND_PICTURE: textSetting('BRAND_PICTURE', {
    meaning: 'https URL of a picture for `/join` and its link previews, at least 1,200 px wide',
    document: 'builders.md',
  }),
  BRAND_STYLES: textSetting('BRAND_STYLES', {
    meaning: "a CSS file for the server's own pages, after their styles",
    document: 'settings.md#the-look-of-the-servers-pages',
  }),
  MAIL_TEMPLATES: textSetting('MAIL_TEMPLATES', {
    fallback: 'built-in emails',
    meaning: 'folder of your own emails: at least `welcome.subject.txt`, `welcome.txt` and `welcome.html`',
    document: 'settings.md#your-own-emails',
  }),
  PAGE_TEXTS: textSetting('PAGE_TEXTS', {
    fallback: 'built-in texts',
    meaning:
      "a JSON file of your own texts for the server's pages, by language. The server does not start if a key is unknown",
    document: 'confirmation.md#your-own-texts',
  }),
  WELCOME_EMAIL: new Setting('WELCOME_EMAIL', {
    fallback: '`on`',
    meaning: '`off`: signups queue no welcome email. An admin can still send it',
    ...onOrOff(),
  }),
  MAIL_LANGUAGE: new Setting('MAIL_LANGUAGE', {
    fallback: '`en`',
    meaning: `language of your own texts, and of the default emails to people who signed up in another language, or none that is known: ${LANGUAGES.map((language) => `\`${language}\``).join(', ')}`,
    ...defineChoice(LANGUAGES),
  }),
  MAILS_PER_HOUR: new Setting('MAILS_PER_HOUR', {
    fallback: '`200`',
    meaning: 'delivery attempts per hour; further messages wait. A mailbox gets at most three a day',
    ...wholeNumber(1, 1_000_000),
  }),
  INVITE_URL: new Setting('INVITE_URL', {
    meaning: "the product's page for invitations, such as `https://app.example.com/join`; none are sent without it",
    document: 'invites.md',
    ...invitePage(),
  }),
  INVITE_KEY: ownKey('INVITE_KEY', {
    meaning:
      "at least 32 characters, with which the product's back end redeems invitations. Required with `INVITE_URL`",
    document: 'invites.md',
  }),
  HUMAN_CHECK_URL: new Setting('HUMAN_CHECK_URL', {
    fallback: "the provider's",
    meaning: 'where tokens of Turnstile or hCaptcha are verified instead, such as a proxy or a test',
    document: 'human-checks.md',
    ...url('https://verifier.example.com/siteverify'),
  }),
  HUMAN_CHECK_HOSTNAMES: new Setting('HUMAN_CHECK_HOSTNAMES', {
    fallback: 'those of `PUBLIC_URL`, with and without `www.`, and `ALLOWED_ORIGINS`',
    meaning:
      'host names of the pages with the form, separated by commas; Turnstile and hCaptcha tokens from others are refused',
    document: 'human-checks.md',
    schema: defineList((hostname) => parseAllowedOrigin(`https://${hostname}`) !== null),
    rule: 'must list host names such as www.example.com, or *.example.com for any one label before .example.com',
  }),
  HUMAN_CHECK_ACTION: new Setting('HUMAN_CHECK_ACTION', {
    fallback: 'any',
    meaning: "the `action` of the page's Turnstile widget; tokens with another one are refused",
    document: 'human-checks.md',
    schema: z.string().regex(/^[\w-]{1,32}$/),
    rule: 'must consist of at most 32 letters, digits, - and _',
  }),
  WEBHOOK_ALLOW_LOCAL: new Setting('WEBHOOK_ALLOW_LOCAL', {
    fallback: '`off`',
    meaning: '`on`: webhooks may use http and local addresses. For trials only',
    document: 'webhooks.md',
    ...onOrOff(),
  }),
  METRICS_KEY: ownKey('METRICS_KEY', {
    meaning:
      'at least 32 characters, with which monitoring reads `/metrics`. Without it there is no such route. Needs the package `prom-client`',
    document: 'operate.md#metrics',
  }),
  AGENT_DOCS: new Setting('AGENT_DOCS', {
    fallback: '`off`',
    meaning: '`on`: `/skill.md` and `/llms.txt` tell agents how to use the API with a key',
    document: 'api-keys.md#agents',
    ...onOrOff(),
  }),
  SES_TOPIC_ARN: new Setting('SES_TOPIC_ARN', {
    meaning: 'the Amazon SNS topic with bounces and complaints of Amazon SES',
    document: 'mail-amazon-ses.md',
    schema: text((arn) => TOPIC_ARN.test(arn)),
    rule: 'must look like arn:aws:sns:eu-west-1:123456789012:bounces',
  }),
  POSTMARK_WEBHOOK_KEY: sharedSecret('POSTMARK_WEBHOOK_KEY', {
    meaning: "the password in the URL of Postmark's webhook, for bounces and complaints",
    document: 'mail-postmark.md',
  }),
  RESEND_WEBHOOK_SECRET: new Setting('RESEND_WEBHOOK_SECRET', {
    meaning: "the signing secret of Resend's webhook, for bounces and complaints",
    document: 'mail-resend.md',
    schema: z.string().regex(/^whsec_(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
    rule: 'must be the signing secret that Resend shows, starting with whsec_',
    isPrivate: true,
  }),
  MAILGUN_SIGNING_KEY: new Setting('MAILGUN_SIGNING_KEY', {
    meaning: "Mailgun's HTTP webhook signing key, for bounces and complaints",
    document: 'mail-mailgun.md',
    schema: z.string().regex(/^[\x21-\x7e]{16,}$/),
    rule: 'must be the HTTP webhook signing key that Mailgun shows',
    isPrivate: true,
  }),
  BREVO_WEBHOOK_KEY: sharedSecret('BREVO_WEBHOOK_KEY', {
    meaning: "the password in the URL of Brevo's webhook, or its token, for bounces and complaints",
    document: 'mail-brevo.md',
  }),
  SIGNUP_COUNT: new Setting('SIGNUP_COUNT', {
    meaning:
      'the smallest number that `GET /api/count` shows, for “2,430 artists have joined”. Without it there is no such route',
    document: 'count.md',
    ...wholeNumber(1, 1_000_000_000),
  }),
  SIGNUP_COUNT_ROUNDING: new Setting('SIGNUP_COUNT_ROUNDING', {
    fallback: '`tens`',
    meaning: '`exact`, `tens` or `hundreds`: how that number is rounded down',
    document: 'count.md',
    ...defineChoice(['exact', 'tens', 'hundreds']),
  }),
  RETENTION_DAYS: new Setting('RETENTION_DAYS', {
    fallback: '`395`',
    meaning: 'sessions older than this are deleted; their sums stay in the dashboard',
    // The summary reads the sessions of the last 30 days, so they must be stored longer.
    ...wholeNumber(31, 36_500),
  }),
  DEMO: new Setting('DEMO', {
    fallback: '`off`',
    meaning:
      '`on`: a public demo, in memory and without email. Anyone can read a dashboard with made-up data; what visitors type is deleted within an hour',
    document: 'deploy/demo.md',
    ...onOrOff(),
  }),
  SITE_DIR: textSetting('SITE_DIR', {
    meaning: 'folder of a built site to serve, too',
    document: 'settings.md#what-the-pages-of-your-site-may-load',
  }),
  SITE_POLICY: new Setting('SITE_POLICY', {
    fallback: 'files of the site only',
    meaning:
      'the Content-Security-Policy of the pages in `SITE_DIR`, or `off`. By default they load nothing from other hosts and run nothing inline; what that blocks is logged as `site-policy`',
    document: 'settings.md#what-the-pages-of-your-site-may-load',
    schema: text((policy) => /^(?:off|\s*[a-z]+-[a-z-]+\s[\x20-\x7e]*)$/.test(policy)),
    rule: "must be off, or a Content-Security-Policy such as default-src 'self'; img-src *",
  }),
  EMBED_DIR: textSetting('EMBED_DIR', {
    fallback: 'the built scripts',
    meaning: 'folder of the embed scripts, with older versions that pages may still name',
  }),
} as const;

export const SETTING_LIST: readonly Setting<unknown>[] = Object.values(SETTINGS);

/**
 * An invitation's token is put into the URL's fragment, possibly after a route. A fragment in which it could be misread
 * is rejected.
 */
function invitePage() {
  const { schema, rule } = url('https://app.example.com/join or https://app.example.com/#/join');
  return { schema: schema.refine(({ hash }) => /^(?:#!?\/.*)?$/.test(hash)), rule };
}

/** Comma-separated origins. */
function originList() {
  return {
    schema: defineList((origin) => origin === '' || parseAllowedOrigin(origin) !== null).transform((all) =>
      all.flatMap((origin) => parseAllowedOrigin(origin) ?? []),
    ),
    rule: 'must list origins such as https://www.example.com, or https://*.example.com for any one label before .example.com',
  };
}

/** Comma-separated domains, in the form in which addresses are stored. */
function domainList() {
  return {
    schema: defineList((domain) => domain === '' || parseDomain(domain) !== null).transform((all) =>
      all.flatMap((domain) => parseDomain(domain) ?? []),
    ),
    rule: 'must list domains such as example.com, which stands for its subdomains, too',
  };
}

/** A secret that one of the admin's own programs sends in a header. */
function ownKey(name: string, options: { readonly meaning: string; readonly document: string }): Setting<string> {
  return new Setting(name, {
    ...options,
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .min(SHORTEST_KEY),
    rule: `must have at least ${SHORTEST_KEY} characters, such as the output of "openssl rand -hex 32"`,
    isPrivate: true,
  });
}

/** A secret that is part of a URL, so it must not need percent-encoding. */
function sharedSecret(name: string, options: { readonly meaning: string; readonly document: string }): Setting<string> {
  return new Setting(name, {
    ...options,
    schema: z
      .string()
      .regex(/^[\w-]+$/)
      .min(SHORTEST_KEY),
    rule: `must have at least ${SHORTEST_KEY} letters, digits, - and _, such as the output of "openssl rand -hex 32"`,
    isPrivate: true,
  });
}

/** Returns whether the URL contains a database and a percent-encoded password. */
function isPostgresUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, username, password } = new URL(value);
  try {
    decodeURIComponent(username + password);
    return /^postgres(ql)?:$/.test(protocol) && hostname !== '' && pathname.length > 1;
  } catch {
    return false;
  }
}
