import { ADMIN_COMMANDS_HELP } from './admin-commands.ts';

export const HELP = `early-access-kit server: the landing site, its API and its mail on one machine

  serve                 start the server (also without a command)
${ADMIN_COMMANDS_HELP}  backup <file>         write a consistent copy of the database, even while the server runs
  --help                show this

Settings are environment variables:

  PORT             4173
  HOST             localhost only; 0.0.0.0 for every address of the machine
  DATA_DIR         ./data: the database, and emails as files if there is no SMTP_URL
  ADMIN_EMAIL      the admin's address, or several separated by commas: who may read the analytics summary and sign in to the
                   dashboard at /admin; no one if it is not set, but admin@example.com on a local run: HOST is loopback, and none of PUBLIC_URL, TRUST_PROXY and SMTP_URL is set
  SMTP_URL         smtp://user:password@mail.example.com:587
  MAIL_FROM        sender, such as Acme <hello@example.com>; required with SMTP_URL
  WELCOME_EMAIL    on; off: new signups queue no welcome email
  WEBHOOK_ALLOW_LOCAL  off; on: webhooks may use http, and addresses of this machine and its networks
  MAILS_PER_HOUR   200: delivery attempts of welcome emails per hour; further messages wait
  PUBLIC_URL       where visitors reach the site, such as https://www.example.com; required with SMTP_URL
  BRAND_NAME       the product's name in emails and on result pages; the host of PUBLIC_URL if it is not set
  BRAND_URL        the page that emails link to; PUBLIC_URL if it is not set
  BRAND_COLOUR     #1d4f91: buttons and links; colours of text and of dark mode are derived from it
  BRAND_BACKGROUND #f3f4f6: behind the content
  BRAND_LOGO       https URL of a PNG, JPEG or GIF at the top of emails, instead of the name
  MAIL_TEMPLATES   folder of welcome.subject.txt, welcome.txt and welcome.html, instead of the default email;
                   optionally of confirmation.*, reminder.* and invite.*, and of sign-in.* and weekly.*, the emails for admins
  MAIL_LANGUAGE    en: of the default emails; es or ar
  CONFIRM          off; on: signups count once they are confirmed by a link in an email
  INVITE_URL       the product's page that invitations lead to, such as https://app.example.com/join; none are sent if it is not set
  INVITE_KEY       at least 32 characters: with it the product's back end redeems invitations; required with INVITE_URL
  ALLOWED_ORIGINS  other sites whose pages may sign people up, separated by commas; https://*.example.com for any one label
  TRUST_PROXY      0: how many proxies in front write X-Forwarded-For
  RETENTION_DAYS   395: sessions older than this are deleted, their sums stay
  SITE_DIR         folder of the built site; none serves the API only
  EMBED_DIR        folder of the built scripts for other sites, with older versions that their pages may still name
`;
