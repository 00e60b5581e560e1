import { ATTRIBUTION_FIELDS } from 'early-access-kit/internal';
import { DATE_WORDS, FILLERS, type Polarity, readColumnName } from './consent-words.ts';
import { hasWord, matchWords, normalizeWords, splitWords } from './words.ts';

/**
 * The data that a column may contain, with the names of our own export. `opt_in`: whether the person wants email, yes
 * or no. The times of confirming, unsubscribing, bouncing, being invited and joining may be yes or no instead.
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
  'labels',
  'other_fields',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** The consent fields, and how their columns are read. If several columns have one, the strictest value counts. */
const CONSENT_FIELDS = {
  state: 'status',
  opt_in: 'in',
  confirmed_at: 'confirmed',
  unsubscribed_at: 'out',
  bounced_at: 'bounced',
} as const satisfies Partial<Record<ImportField, Polarity>>;
export type ConsentField = keyof typeof CONSENT_FIELDS;

export function isConsentField(use: string): use is ConsentField {
  return Object.hasOwn(CONSENT_FIELDS, use);
}

export function getPolarity(field: ConsentField): Polarity {
  return CONSENT_FIELDS[field];
}

/** In a column in doubt, every value is a question for the admin. */
export function getConsentField(polarity: Polarity): ConsentField {
  const fields = Object.keys(CONSENT_FIELDS).filter(isConsentField);
  return fields.find((field) => CONSENT_FIELDS[field] === polarity) ?? 'state';
}

/** Names of the other columns. Columns with unknown names are ignored, which is harmless. */
const OTHER_NAMES: Readonly<Partial<Record<ImportField, string>>> = {
  source: 'quelle, herkunft, fuente, origen, origin, origine, fonte, bron',
  language: 'sprache, langue, idioma, lingua, taal, lang, locale',
  referrer: 'referer, referring site',
  labels: 'label, tags, tag, etiketten, schlagworte, étiquettes, etiquetas, etichette, etykiety, 标签, ラベル',
};

const FIELD_BY_NAME: ReadonlyMap<string, ImportField> = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    [field, ...(OTHER_NAMES[field]?.split(',') ?? [])].map((name) => [normalizeWords(name), field] as const),
  ),
);

/** Finds a field by name in any spelling: `Created-At` is `created_at`. */
export function findFieldByName(name: string): ImportField | null {
  return FIELD_BY_NAME.get(normalizeWords(name)) ?? FIELD_BY_NAME.get(splitWords(name)) ?? null;
}

const MAIL = matchWords('e+mail* *mail* *courriel* corre+o correio *post* почт* メール 邮 郵 *메일*');
const ADDRESS = matchWords('address adres*');

/**
 * Counts the words of a column's name that are not part of the term for an email address; null if it has no such term.
 * The fewest win: `Email` rather than `Manager email`.
 */
export function countOtherWords(name: string): number | null {
  const words = splitWords(name);
  if (!hasWord(words, MAIL)) return null;
  const rest = words.replace(MAIL, ' ').replace(ADDRESS, ' ').trim();
  return rest === '' ? 0 : rest.split(/\s+/).length;
}

const SIGNED_UP = matchWords('signed+up* sign+up* regist* 注册');
const CREATED = matchWords('*crea* add added submi* erstell* 作成 创建');
const DATE = matchWords(DATE_WORDS);

/**
 * Rates how well a name fits the column of signup dates (lower is better). Null if a word is unknown, because the
 * column may have other dates: `Subscription end date`.
 */
export function rankDateName(name: string): number | null {
  const words = splitWords(name.replace(/\([^()]*\)/g, ' '));
  const names = [SIGNED_UP, CREATED, DATE];
  const rest = names.reduce((text, pattern) => text.replace(pattern, ' '), words).replace(FILLERS, ' ');
  const found = rest.trim() === '' ? names.filter((pattern) => hasWord(words, pattern)) : [];
  if (found.includes(SIGNED_UP)) return 0;
  if (found.includes(CREATED)) return 1;
  if (readColumnName(name) === 'in') return 2;
  return found.length > 0 ? 3 : null;
}

export function isKnownName(name: string): boolean {
  return (
    findFieldByName(name) !== null ||
    countOtherWords(name) !== null ||
    readColumnName(name) !== null ||
    rankDateName(name) !== null
  );
}
