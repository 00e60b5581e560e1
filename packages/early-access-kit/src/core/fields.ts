import { StorageError } from './errors.ts';

/**
 * Fields that a host adds to the signup form. The declaration is plain data, the same object in the page, on the server
 * and for the generated Firestore rules; `checkDeclarations` checks it at start.
 */
export type FieldDeclaration =
  | TextField
  | PhoneField
  | NumberField
  | DateField
  | SelectField
  | ChoicesField
  | CheckboxField;

interface CommonField {
  /** The text that the visitor sees; for a consent, the text that they agree to. */
  readonly label: string;
  /**
   * Links in the label, keyed by their text in it: `{ 'privacy policy': '/privacy' }`. The value is an http(s) URL or a
   * path of the site that shows the form.
   */
  readonly links?: Readonly<Record<string, string>> | undefined;
  /** A sentence below the label that helps to fill in the field. */
  readonly help?: string | undefined;
  /** The form can only be submitted with a value. Default: false. */
  readonly required?: boolean | undefined;
}

/** A text or a web address. */
export interface TextField extends CommonField {
  /**
   * `text`: one line. `textarea`: several lines. `url`: a web address; `https://` is added if the visitor leaves it
   * out.
   */
  readonly type: 'text' | 'textarea' | 'url';
  /** The maximum length in UTF-16 code units, at most `MAX_FIELD_LENGTH`. Default: 200; 1,000 for a `textarea`. */
  readonly maxLength?: number | undefined;
  readonly placeholder?: string | undefined;
  /** HTML's `autocomplete` attribute, such as `organization`. */
  readonly autoComplete?: string | undefined;
}

/** A telephone number with its country code. Stored in E.164 format: `+4930123456`. */
export interface PhoneField extends CommonField {
  readonly type: 'tel';
  readonly placeholder?: string | undefined;
}

/** A number. Stored as a text in its shortest form: `-3.5`. */
export interface NumberField extends CommonField {
  readonly type: 'number';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The maximum number of decimal places, up to 6. Default: 0, whole numbers. */
  readonly decimals?: number | undefined;
  readonly placeholder?: string | undefined;
}

/** A date. Stored as `2026-01-31`. */
export interface DateField extends CommonField {
  readonly type: 'date';
  /** The earliest and the latest date, as `2026-01-31`. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/** Multiple choice. Stored as one text in the order of the options, separated by ` | `. */
export interface ChoicesField extends CommonField {
  readonly type: 'choices';
  /** The options, as in `SelectField`. Values must not contain commas, semicolons or vertical bars. */
  readonly options: readonly (string | FieldOption)[];
}

/** A single choice. */
export interface SelectField extends CommonField {
  readonly type: 'select';
  /** The options: stored values, with a label if the visitor should see a different text. */
  readonly options: readonly (string | FieldOption)[];
  /** The text of the empty option, for which nothing is stored. */
  readonly placeholder?: string | undefined;
}

/** An option: its stored value and the text that people see. */
export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

/** A checkbox, such as a consent. */
export interface CheckboxField extends CommonField {
  readonly type: 'checkbox';
  /** Stores the text that was agreed to instead of `true`. Default: false. */
  readonly consent?: boolean | undefined;
  /** Texts besides `label` that count as this consent, for translated pages and for pages loaded before a change. */
  readonly acceptedTexts?: readonly string[] | undefined;
}

/** The kinds of fields that a form can have. */
export type FieldType = FieldDeclaration['type'];

/** The keys are names: a lower-case letter followed by lower-case letters, digits and underscores. */
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** The values of one signup. Empty ones are left out. A ticked box is `true`; a consent is the agreed text. */
export type SignupFields = Readonly<Record<string, string | true>>;

/** Why a value is rejected. */
export type FieldProblem = 'required' | 'too-long' | 'invalid';

/** Default maximum length of a text field, in UTF-16 code units. */
export const DEFAULT_FIELD_LENGTH = 200;
/** Longest value of a field, in UTF-16 code units. */
export const MAX_FIELD_LENGTH = 1_000;

/** Control characters, and lone surrogates, which no store preserves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
export const UNSTORABLE = /[\u0000-\u001f\u007f\ud800-\udfff]/u;

/** The normal form of a `url` value: no spaces, quotes or user name. The Firestore rules use it, too. */
export const WEB_ADDRESS = /^https?:\/\/[^\s/?#@:"<>\\]+\.[^\s/?#@:"<>\\.]+(:\d{1,5})?([/?#][^\s"<>\\]*)?$/;

/** A value in its normal form; undefined if it is empty; otherwise the problem. */
export type NormalValue = { readonly of: string | true } | undefined | Exclude<FieldProblem, 'required'>;

/** A field that is entered as text. */
export type EnteredField = Exclude<FieldDeclaration, CheckboxField>;

/**
 * `checkValue` for the most common types, so that pages with no other types load less code. `normalText` is called with
 * a trimmed, non-empty text.
 */
export function checkBasicValue(
  field: FieldDeclaration,
  given: unknown,
  normalText = normalBasicText,
): { readonly value: string | true | undefined } | { readonly problem: FieldProblem } {
  const value = normalValue(field, given, normalText);
  if (value === undefined && field.required === true) return { problem: 'required' };
  return value === 'too-long' || value === 'invalid' ? { problem: value } : { value: value?.of };
}

function normalValue(field: FieldDeclaration, given: unknown, normalText: typeof normalBasicText): NormalValue {
  if (given === undefined || given === '') return undefined;
  if (field.type === 'checkbox') return normalCheckbox(field, given);
  if (typeof given !== 'string') return 'invalid';
  // Checked before any slower work.
  if (given.length > 2 * MAX_FIELD_LENGTH) return 'too-long';
  const text = given.trim();
  return text === '' ? undefined : normalText(field, text);
}

export function normalBasicText(field: EnteredField, text: string): NormalValue {
  if (field.type === 'select') return optionValues(field).includes(text) ? { of: text } : 'invalid';
  let line = text;
  if (field.type === 'url') {
    line = /^\w+:\/\//.test(text) ? text.replace(/^https?:/i, (scheme) => scheme.toLowerCase()) : `https://${text}`;
  }
  const normal = normalLine(line, maxLengthOf(field));
  return normal === 'too-long' || field.type !== 'url' || WEB_ADDRESS.test(line) ? normal : 'invalid';
}

export function normalLine(text: string, maxLength: number): NormalValue {
  if (text.length > maxLength) return 'too-long';
  return UNSTORABLE.test(text) ? 'invalid' : { of: text };
}

/** The maximum length of a single-line text, in UTF-16 code units. */
export function maxLengthOf(field: FieldDeclaration): number {
  return ('maxLength' in field && field.maxLength) || DEFAULT_FIELD_LENGTH;
}

function normalCheckbox(field: CheckboxField, given: unknown): NormalValue {
  if (given === false) return undefined;
  // Forms sent without scripts only contain texts: "on" is HTML's default value of a checkbox.
  if (!field.consent) return given === true || given === 'true' || given === 'on' ? { of: true } : 'invalid';
  return typeof given === 'string' && consentTexts(field).includes(given) ? { of: given } : 'invalid';
}

/** Returns all values that can be chosen. */
export function optionValues({ options }: Pick<SelectField, 'options'>): readonly string[] {
  return options.map((option) => (typeof option === 'string' ? option : option.value));
}

/** Returns all texts that count as agreement. */
export function consentTexts({ label, acceptedTexts = [] }: CheckboxField): readonly string[] {
  return [label, ...acceptedTexts];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an error that names a field and the rule that its value breaks. */
export function invalid(field: string, rule: string): StorageError {
  return new StorageError('invalid', `${field} ${rule}`);
}
