import { StorageError } from './errors.ts';

/**
 * Fields that a host adds to the signup form. The declaration is plain data, the same object in the page, on the server and for the
 * generated Firestore rules; `checkDeclarations` checks it at start.
 */
export type FieldDeclaration = TextField | SelectField | CheckboxField;

interface CommonField {
  /** The text that the visitor reads; for a consent, the text that they agree to. */
  readonly label: string;
  /** Whether the form can only be sent with a value. Default: false. */
  readonly required?: boolean | undefined;
}

export interface TextField extends CommonField {
  /** `url`: an address on the web. `https://` is added if the visitor leaves it out. */
  readonly type: 'text' | 'url';
  /** The limit in UTF-16 code units, at most `MAX_FIELD_LENGTH`. Default: 200. */
  readonly maxLength?: number | undefined;
  readonly placeholder?: string | undefined;
  /** HTML's `autocomplete`, such as `organization`. */
  readonly autoComplete?: string | undefined;
}

export interface SelectField extends CommonField {
  readonly type: 'select';
  /** The choices: the stored value, with a label if the visitor reads something else. */
  readonly options: readonly (string | FieldOption)[];
  /** The text of the empty choice, for which nothing is stored. */
  readonly placeholder?: string | undefined;
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

export interface CheckboxField extends CommonField {
  readonly type: 'checkbox';
  /** The text that was agreed to is stored instead of `true`. Default: false. */
  readonly consent?: boolean | undefined;
  /** Texts besides `label` that count as this consent, for translated pages and for pages loaded before a change. */
  readonly acceptedTexts?: readonly string[] | undefined;
}

export type FieldType = FieldDeclaration['type'];

/** The keys are names: a lower-case letter followed by lower-case letters, digits and underscores. */
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** The values of one signup. Empty ones are left out. A checked box is `true`; a consent is the text that was agreed to. */
export type SignupFields = Readonly<Record<string, string | true>>;

/** Why a value is refused. */
export type FieldProblem = 'required' | 'too-long' | 'invalid';

export const DEFAULT_FIELD_LENGTH = 200;
/** Longest value of a field, in UTF-16 code units. */
export const MAX_FIELD_LENGTH = 1_000;

/** Control characters and lone surrogates: no store preserves lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
export const UNSTORABLE = /[\u0000-\u001f\u007f\ud800-\udfff]/u;

/** The normal form of a `url` value, also in the Firestore rules: no spaces, no quotes, no user name. */
export const WEB_ADDRESS = /^https?:\/\/[^\s/?#@:"<>\\]+\.[^\s/?#@:"<>\\.]+(:\d{1,5})?([/?#][^\s"<>\\]*)?$/;

/** Returns the value in its normal form, undefined if it is empty, or what is wrong with it. */
export function checkValue(
  field: FieldDeclaration,
  given: unknown,
): { readonly value: string | true | undefined } | { readonly problem: FieldProblem } {
  const value = normalValue(field, given);
  if (value === undefined && field.required === true) return { problem: 'required' };
  return value === 'too-long' || value === 'invalid' ? { problem: value } : { value: value?.of };
}

function normalValue(
  field: FieldDeclaration,
  given: unknown,
): { of: string | true } | undefined | Exclude<FieldProblem, 'required'> {
  if (given === undefined || given === '') return undefined;
  if (field.type === 'checkbox') return normalCheckbox(field, given);
  if (typeof given !== 'string') return 'invalid';
  // Bounded before any other work.
  if (given.length > 2 * MAX_FIELD_LENGTH) return 'too-long';
  let text = given.trim();
  if (text === '') return undefined;
  if (field.type === 'select') return optionValues(field).includes(text) ? { of: text } : 'invalid';
  if (field.type === 'url') {
    text = /^\w+:\/\//.test(text) ? text.replace(/^https?:/i, (scheme) => scheme.toLowerCase()) : `https://${text}`;
  }
  if (text.length > (field.maxLength ?? DEFAULT_FIELD_LENGTH)) return 'too-long';
  return UNSTORABLE.test(text) || (field.type === 'url' && !WEB_ADDRESS.test(text)) ? 'invalid' : { of: text };
}

function normalCheckbox(field: CheckboxField, given: unknown): { of: string | true } | undefined | 'invalid' {
  if (given === false) return undefined;
  // Forms that are sent without scripts only have texts: "on" is HTML's default.
  if (!field.consent) return given === true || given === 'true' || given === 'on' ? { of: true } : 'invalid';
  return typeof given === 'string' && consentTexts(field).includes(given) ? { of: given } : 'invalid';
}

/** Every value that can be chosen. */
export function optionValues({ options }: SelectField): readonly string[] {
  return options.map((option) => (typeof option === 'string' ? option : option.value));
}

/** Every text that can be agreed to. */
export function consentTexts({ label, acceptedTexts = [] }: CheckboxField): readonly string[] {
  return [label, ...acceptedTexts];
}

/**
 * Parses untrusted values on the trusted side of a store. Undefined if there are none: a page from before the declaration sends none, so
 * that is valid even if a field is required. Throws a `StorageError` with code `invalid` that names the field, never its value.
 */
export function parseFields(declarations: FieldDeclarations, given: unknown): SignupFields | undefined {
  if (given === undefined) return undefined;
  if (!isObject(given)) throw invalid('fields', 'must be an object');
  const values = new Map(Object.entries(given));
  for (const name of values.keys()) {
    if (!Object.hasOwn(declarations, name)) throw invalid('fields', 'must only contain declared fields');
  }
  const fields: Record<string, string | true> = {};
  for (const [name, field] of Object.entries(declarations)) {
    const checked = checkValue(field, values.get(name));
    if ('problem' in checked) throw invalid(`fields.${name}`, explainProblem(field, checked.problem));
    if (checked.value !== undefined) fields[name] = checked.value;
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** The rule that a value breaks. It follows the name of the field in an error. */
export function explainProblem(field: FieldDeclaration, problem: FieldProblem): string {
  if (problem === 'required') return 'is required';
  if (problem === 'invalid') return `must be a valid value of type ${field.type}`;
  return `must have at most ${('maxLength' in field && field.maxLength) || DEFAULT_FIELD_LENGTH} characters`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an error that names a field and the rule that its value breaks. */
export function invalid(field: string, rule: string): StorageError {
  return new StorageError('invalid', `${field} ${rule}`);
}
