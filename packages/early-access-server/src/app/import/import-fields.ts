import { ATTRIBUTION_FIELDS } from 'early-access-kit/internal';
import { DATE_WORDS, FILLERS, type Polarity, readColumnName } from './consent-words.ts';
import { hasWord, matchWords, normalizeWords, splitWords } from './words.ts';

/**
 * The data that a column may hold, named like the columns of our own export. `opt_in`: whether the person wants email,
 * yes or no. The times of confirming, unsubscribing, bouncing, being invited and joining may be yes or no, too.
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

/**
 * The fields about consent, and what a value says in a column of each. Several columns may have one, and the strictest
 * counts.
 */
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

/** Only the admin knows what the values of a column in doubt say, so that each is asked. */
export function getConsentField(polarity: Polarity): ConsentField {
  const fields = Object.keys(CONSENT_FIELDS).filter(isConsentField);
  return fields.find((field) => CONSENT_FIELDS[field] === polarity) ?? 'state';
}

/** The names of other columns. Columns that are missing here are ignored, which harms no one. */
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

/** The field that has this name, in any spelling: `Created-At` is `created_at`. */
export function findFieldByName(name: string): ImportField | null {
  return FIELD_BY_NAME.get(normalizeWords(name)) ?? FIELD_BY_NAME.get(splitWords(name)) ?? null;
}

const MAIL = matchWords('e+mail* *mail* *courriel* corre+o correio *post* почт* メール 邮 郵 *메일*');
const ADDRESS = matchWords('address adres*');

/**
 * How many words a column's name has besides those for an email address; null if it has none for one. The fewest tell
 * `Email` from `Manager email`.
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
 * How well a name says that its column has the dates of signing up; the least is best. Null if it may have another
 * date: all of its words must be known, because `Subscription end date` is another one.
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
