/** One setting as `--help`, `.env` and docs/settings.md describe it. */
export interface SettingEntry {
  readonly name: string;
  /** What it is if it is not set, in Markdown. */
  readonly fallback: string;
  /** In Markdown, without links. */
  readonly meaning: string;
  /** A value that can be used. Settings that have one are in the file that `init` writes. */
  readonly example?: string;
  /** The document about it, in `docs/`. */
  readonly document?: string;
}

/** Every setting of the server, those that a new admin needs first. */
export const SETTING_LIST: readonly SettingEntry[] = [
  {
    name: 'ADMIN_EMAIL',
    fallback: '`admin@example.com` on a local run',
    meaning:
      "the admin's address, or several separated by commas. An admin may read the analytics summary, and signs in to the dashboard at `/admin` by a link in an email. The default only applies on loopback with none of `PUBLIC_URL`, `TRUST_PROXY` and `SMTP_URL` set; otherwise there is no admin",
    example: 'you@example.com',
  },
  {
    name: 'PUBLIC_URL',
    fallback: '`http://localhost:PORT`',
    meaning:
      'where visitors reach this server: for links in emails, search engines, link previews and origin checks. Required with `SMTP_URL`',
    example: 'https://early.example.com',
  },
  {
    name: 'ALLOWED_ORIGINS',
    fallback: 'none',
    meaning:
      'other sites whose pages may use the API, separated by commas. `https://*.example.com` allows any one label, such as previews. Refused origins are logged as `origin-refused`',
    example: 'https://www.example.com',
  },
  {
    name: 'SMTP_URL',
    fallback: 'none',
    meaning:
      'the mail server. Without it, emails are written to `.eml` files in `DATA_DIR`, and only a local run lets anyone sign in to the dashboard',
    example: 'smtp://user:password@mail.example.com:587',
  },
  {
    name: 'MAIL_FROM',
    fallback: 'none',
    meaning: 'the sender of emails. Required with `SMTP_URL`',
    example: '"Acme <hello@example.com>"',
  },
  {
    name: 'BRAND_NAME',
    fallback: 'host of `PUBLIC_URL`',
    meaning: "the product's name in emails and on result pages, `Early access` on a local run",
    example: 'Acme',
  },
  {
    name: 'CONFIRM',
    fallback: '`off`',
    meaning: '`on`: a signup counts once it is confirmed by a link in an email',
    example: 'on',
    document: 'confirmation.md',
  },
  {
    name: 'HUMAN_CHECK',
    fallback: '`off`',
    meaning:
      '`turnstile`, `hcaptcha` or `proof-of-work`: signups of pages have to show that a person makes them, and those of forms without scripts are confirmed by email',
    document: 'human-checks.md',
  },
  {
    name: 'HUMAN_CHECK_SECRET',
    fallback: 'none',
    meaning:
      'the secret key of the provider; for `proof-of-work` at least 32 characters of your own. Required with `HUMAN_CHECK`',
    document: 'human-checks.md',
  },
  {
    name: 'SIGNUP_FIELDS',
    fallback: 'none',
    meaning:
      'a JSON file that declares fields of the form besides the address, for the server and for `export` and `import`. A declaration that contradicts itself stops the start',
    document: 'fields.md',
  },
  {
    name: 'PORT',
    fallback: '`4173`',
    meaning: 'port of the API, the scripts, the dashboard and the site',
    example: '4173',
  },
  {
    name: 'HOST',
    fallback: 'loopback',
    meaning: 'address to listen on; `0.0.0.0` for every address of the machine',
    example: '0.0.0.0',
  },
  {
    name: 'TRUST_PROXY',
    fallback: '`0`',
    meaning: 'number of proxies in front of the server that write `X-Forwarded-For`',
    example: '1',
    document: 'operate.md#behind-a-reverse-proxy',
  },
  {
    name: 'DATA_DIR',
    fallback: '`./data`',
    meaning: 'folder of the database and of `.eml` files',
    example: './data',
  },
  {
    name: 'DATABASE_URL',
    fallback: 'none',
    meaning:
      'a Postgres database that stores everything, instead of SQLite in `DATA_DIR`, for the server and every command. Needs the package `pg`; special characters of the password are percent-encoded',
    example: 'postgres://user:password@db.example.com:5432/early_access',
    document: 'postgres.md',
  },
  {
    name: 'BRAND_URL',
    fallback: '`PUBLIC_URL`',
    meaning: 'the page that emails link to',
  },
  {
    name: 'BRAND_COLOUR',
    fallback: '`#1d4f91`',
    meaning:
      'buttons and links, as `#rrggbb`. Colours of text and of dark mode are derived from it and always readable',
  },
  {
    name: 'BRAND_BACKGROUND',
    fallback: '`#f3f4f6`',
    meaning: 'behind the content, as `#rrggbb`',
  },
  {
    name: 'BRAND_LOGO',
    fallback: 'the name',
    meaning: 'https URL of a PNG, JPEG or GIF, shown 40 px high at the top of emails',
  },
  {
    name: 'MAIL_TEMPLATES',
    fallback: 'built-in emails',
    meaning:
      'folder of your own emails: `welcome.subject.txt`, `welcome.txt` and `welcome.html`, and optionally those of `confirmation`, `reminder`, `invite`, `sign-in` and `weekly`',
    document: 'settings.md#your-own-emails',
  },
  {
    name: 'WELCOME_EMAIL',
    fallback: '`on`',
    meaning: '`off`: new signups queue no welcome email, and never get one unless an admin sends it',
  },
  {
    name: 'MAIL_LANGUAGE',
    fallback: '`en`',
    meaning: 'of the default emails: `en`, `es` or `ar`',
  },
  {
    name: 'MAILS_PER_HOUR',
    fallback: '`200`',
    meaning: 'delivery attempts of welcome emails per hour; further messages wait. A mailbox gets at most three a day',
  },
  {
    name: 'INVITE_URL',
    fallback: 'none',
    meaning:
      "the product's page that invitations lead to, such as `https://app.example.com/join`; none are sent without it",
    document: 'invites.md',
  },
  {
    name: 'INVITE_KEY',
    fallback: 'none',
    meaning: "at least 32 characters: with it the product's back end redeems invitations. Required with `INVITE_URL`",
    document: 'invites.md',
  },
  {
    name: 'HUMAN_CHECK_URL',
    fallback: "the provider's",
    meaning: 'where tokens of Turnstile or hCaptcha are verified, if that is somewhere else, such as a proxy or a test',
    document: 'human-checks.md',
  },
  {
    name: 'HUMAN_CHECK_HOSTNAMES',
    fallback: 'those of `PUBLIC_URL`, with and without `www.`, and `ALLOWED_ORIGINS`',
    meaning:
      'the host names of the pages with the form, separated by commas: tokens of Turnstile or hCaptcha from other pages are refused',
    document: 'human-checks.md',
  },
  {
    name: 'HUMAN_CHECK_ACTION',
    fallback: 'any',
    meaning: "the `action` of the page's Turnstile widget: tokens with another one are refused",
    document: 'human-checks.md',
  },
  {
    name: 'WEBHOOK_ALLOW_LOCAL',
    fallback: '`off`',
    meaning: '`on`: webhooks may use http, and addresses of this machine and its networks. For trials only',
    document: 'webhooks.md',
  },
  {
    name: 'RETENTION_DAYS',
    fallback: '`395`',
    meaning: 'sessions older than this are deleted, and leave the sums of the dashboard',
  },
  {
    name: 'SITE_DIR',
    fallback: 'none',
    meaning: 'folder of a built site that this server serves too',
  },
  {
    name: 'EMBED_DIR',
    fallback: 'the built scripts',
    meaning: 'folder of the embed scripts, with older versions that pages may still name',
  },
];
