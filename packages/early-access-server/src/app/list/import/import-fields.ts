import { ATTRIBUTION_FIELDS } from 'early-access-kit/core';

/**
 * The data that a column may hold, named like the columns of our own export. `opt_in`: whether the person wants email, yes or no. The times
 * of confirming, unsubscribing, bouncing, being invited and joining may be yes or no, too.
 */
export const IMPORT_FIELDS = [
  'email',
  'state',
  'opt_in',
  'created_at',
  'confirmed_at',
  'confirmed_by',
  'unsubscribed_at',
  'bounced_at',
  'bounced_from',
  'invited_at',
  'joined_at',
  'source',
  'referrer',
  'session_id',
  ...ATTRIBUTION_FIELDS,
  'consent_text',
  'consent_page',
  'mail_state',
  'language',
  'other_fields',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** Several columns may say this, and the most cautious one counts. */
const REPEATABLE: ReadonlySet<string> = new Set<ImportField>(['state', 'opt_in', 'unsubscribed_at', 'bounced_at']);

export function isRepeatable(field: string): boolean {
  return REPEATABLE.has(field);
}

/** The names of columns as other products export them. A field's own name needs no entry. */
const OTHER_NAMES: Readonly<Partial<Record<ImportField, string>>> = {
  email: `
    e-mail, address, mail, email address, e-mail address, subscriber email, your email, e-mail-adresse, email-adresse, mailadresse,
    adresse e-mail, adresse email, adresse mail, courriel, correo, correo electrónico, dirección de correo electrónico,
    dirección de correo, indirizzo email, indirizzo e-mail, posta elettronica, endereço de email, endereço de e-mail, e-mailadres,
    emailadres, e-postadress, e-postadresse, epost, e-post, sähköposti, adres e-mail, adres email, e-posta, eposta, email cím,
    e-mailová adresa, адрес электронной почты, электронная почта, почта, メールアドレス, メール, 邮箱, 电子邮件, 电子邮箱,
    電子郵件, 이메일, 이메일 주소`,
  state: `
    status, subscription status, subscriber status, email status, member status, marketing status, estado, stato, statut, zustand`,
  opt_in: `
    subscribed, is subscribed, subscribed to emails, accepts marketing, accepts email marketing, optin, opted in, email opt in,
    marketing opt in, marketing consent, email marketing consent, newsletter, newsletter subscription, email marketing`,
  created_at: `
    date, signed up, signed up at, signup date, sign up date, signup time, optin time, opt in time, optin date, opt in date, created,
    created at utc, creation date, date created, date added, added at, added time, subscribed at, subscribed on, subscription date,
    subscribe date, date subscribed, timestamp, registered at, registration date, submitted at, submission date, datum,
    zeitstempel, anmeldedatum, angemeldet am, erstellt am, horodateur, date d inscription, fecha, marca temporal, fecha de alta,
    fecha de registro, data di iscrizione, datum aangemeld`,
  confirmed_at: `
    confirmed, confirm time, confirmation time, confirmation date, confirmed on, date confirmed, verified at, email verified at`,
  unsubscribed_at: `
    unsubscribed, unsub time, unsubscribe time, unsubscribe date, unsubscribed on, unsubscribed date, date unsubscribed,
    unsubscription date, optout, opt out, opted out, optout time, opt out time, opt out date, opted out at, email opt out,
    has opted out of email, unsubscribed from all email, do not email, do not contact, blocklisted, blacklisted, blocked,
    suppressed, deleted at, deleted, cancelled at, canceled at, complained, complained at, marked as spam, abgemeldet,
    abgemeldet am`,
  bounced_at: 'bounced, bounced on, bounce date, hard bounce, hard bounced, clean time, cleaned, cleaned at',
  invited_at: 'invited, invited on',
  source: 'quelle, herkunft, fuente, origen, origine, fonte, bron, origin, signup source, lead source',
  language: 'sprache, langue, idioma, lingua, taal, lang, locale',
  referrer: 'referer, referring site, referring url, referrer url',
};

const FIELD_BY_NAME: ReadonlyMap<string, ImportField> = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    splitNames(`${field}, ${OTHER_NAMES[field] ?? field}`).map((name) => [name, field] as const),
  ),
);

export function findFieldByName(name: string): ImportField | null {
  return FIELD_BY_NAME.get(normalizeName(name)) ?? null;
}

/** The names in a text with commas, as `normalizeName` returns them. */
export function splitNames(text: string): readonly string[] {
  return text.split(',').map(normalizeName);
}

/** Lower-case letters and digits without accents, with one space between words. */
export function normalizeName(name: string): string {
  return name
    .slice(0, 100)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .normalize('NFC');
}

/** Whether the name may mean a region as well as a state of the list. */
export function isVagueStateName(name: string): boolean {
  return ['state', 'estado', 'stato', 'statut', 'zustand'].includes(normalizeName(name));
}
