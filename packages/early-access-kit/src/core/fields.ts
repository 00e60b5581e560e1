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
  /** The text that the visitor reads; for a consent, the text that they agree to. */
  readonly label: string;
  /**
   * Links in the label, by their text in it: `{ 'privacy policy': '/privacy' }`. An http(s) URL, or a path of the site
   * that shows the form.
   */
  readonly links?: Readonly<Record<string, string>> | undefined;
  /** A sentence below the label that helps to fill in the field. */
  readonly help?: string | undefined;
  /** Whether the form can only be sent with a value. Default: false. */
  readonly required?: boolean | undefined;
}

/** Text, or the address of a website. */
export interface TextField extends CommonField {
  /**
   * `text`: one line. `textarea`: several. `url`: an address on the web; `https://` is added if the visitor leaves it
   * out.
   */
  readonly type: 'text' | 'textarea' | 'url';
  /** The limit in UTF-16 code units, at most `MAX_FIELD_LENGTH`. Default: 200, of a `textarea` 1,000. */
  readonly maxLength?: number | undefined;
  readonly placeholder?: string | undefined;
  /** HTML's `autocomplete`, such as `organization`. */
  readonly autoComplete?: string | undefined;
}

/** A telephone number with its country code. Stored as E.164 has it: `+4930123456`. */
export interface PhoneField extends CommonField {
  readonly type: 'tel';
  readonly placeholder?: string | undefined;
}

/** A number. Stored as a text in its shortest form: `-3.5`. */
export interface NumberField extends CommonField {
  readonly type: 'number';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The most digits after the decimal sign, up to 6. Default: 0, whole numbers. */
  readonly decimals?: number | undefined;
  readonly placeholder?: string | undefined;
}

/** A day. Stored as `2026-01-31`. */
export interface DateField extends CommonField {
  readonly type: 'date';
  /** The first and the last day, in the same form. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/** Several choices. Stored as one text, in the order of the options, with ` | ` between them. */
export interface ChoicesField extends CommonField {
  readonly type: 'choices';
  /** The choices, as of a select. Values contain no comma, semicolon or vertical bar. */
  readonly options: readonly (string | FieldOption)[];
}

/** One choice out of several. */
export interface SelectField extends CommonField {
  readonly type: 'select';
  /** The choices: the stored value, with a label if the visitor reads something else. */
  readonly options: readonly (string | FieldOption)[];
  /** The text of the empty choice, for which nothing is stored. */
  readonly placeholder?: string | undefined;
}

/** A choice of a select: its stored value and what people read. */
export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

/** A box to tick, such as a consent. */
export interface CheckboxField extends CommonField {
  readonly type: 'checkbox';
  /** The text that was agreed to is stored instead of `true`. Default: false. */
  readonly consent?: boolean | undefined;
  /** Texts besides `label` that count as this consent, for translated pages and for pages loaded before a change. */
  readonly acceptedTexts?: readonly string[] | undefined;
}

/** The kinds of fields that a form can have. */
export type FieldType = FieldDeclaration['type'];

/** The keys are names: a lower-case letter followed by lower-case letters, digits and underscores. */
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/**
 * The values of one signup. Empty ones are left out. A checked box is `true`; a consent is the text that was agreed to.
 */
export type SignupFields = Readonly<Record<string, string | true>>;

/** Why a value is refused. */
export type FieldProblem = 'required' | 'too-long' | 'invalid';

/** The longest text of a field that declares no length, in UTF-16 code units. */
export const DEFAULT_FIELD_LENGTH = 200;
/** Longest value of a field, in UTF-16 code units. */
export const MAX_FIELD_LENGTH = 1_000;

/** Control characters and lone surrogates: no store preserves lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
export const UNSTORABLE = /[\u0000-\u001f\u007f\ud800-\udfff]/u;

/** The normal form of a `url` value, also in the Firestore rules: no spaces, no quotes, no user name. */
export const WEB_ADDRESS = /^https?:\/\/[^\s/?#@:"<>\\]+\.[^\s/?#@:"<>\\.]+(:\d{1,5})?([/?#][^\s"<>\\]*)?$/;

/** A value in its normal form, undefined if it is empty, or what is wrong with it. */
export type NormalValue = { readonly of: string | true } | undefined | Exclude<FieldProblem, 'required'>;

/** A field that is entered as text. */
export type EnteredField = Exclude<FieldDeclaration, CheckboxField>;

/**
 * `checkValue` of the kinds of fields that most forms have: their pages load no others. `normalText` gets a text that is
 * trimmed and not empty.
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
  // Bounded before any other work.
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

/** The limit of a text on one line, in UTF-16 code units. */
export function maxLengthOf(field: FieldDeclaration): number {
  return ('maxLength' in field && field.maxLength) || DEFAULT_FIELD_LENGTH;
}

function normalCheckbox(field: CheckboxField, given: unknown): NormalValue {
  if (given === false) return undefined;
  // Forms that are sent without scripts only have texts: "on" is HTML's default.
  if (!field.consent) return given === true || given === 'true' || given === 'on' ? { of: true } : 'invalid';
  return typeof given === 'string' && consentTexts(field).includes(given) ? { of: given } : 'invalid';
}

/** Every value that can be chosen. */
export function optionValues({ options }: Pick<SelectField, 'options'>): readonly string[] {
  return options.map((option) => (typeof option === 'string' ? option : option.value));
}

/** Every text that can be agreed to. */
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
