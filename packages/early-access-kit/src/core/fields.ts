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

/** A piece of a label; `href` if it is a link. */
export interface LabelPart {
  readonly text: string;
  readonly href?: string;
}

/** The label in pieces, whose texts together are the label. */
export function labelParts({ label, links = {} }: Pick<FieldDeclaration, 'label' | 'links'>): readonly LabelPart[] {
  const parts: LabelPart[] = [];
  let rest = label;
  for (const [text, href] of Object.entries(links).sort(([a], [b]) => label.indexOf(a) - label.indexOf(b))) {
    const start = rest.indexOf(text);
    parts.push({ text: rest.slice(0, start) }, { text, href });
    rest = rest.slice(start + text.length);
  }
  return [...parts, { text: rest }].filter(({ text }) => text !== '');
}

/** Why a value is refused. */
export type FieldProblem = 'required' | 'too-long' | 'invalid';

/** The longest text of a field that declares no length, in UTF-16 code units. */
export const DEFAULT_FIELD_LENGTH = 200;
/** Longest value of a field, in UTF-16 code units. */
export const MAX_FIELD_LENGTH = 1_000;

/** The limit of a text field, in UTF-16 code units. */
export function fieldLength({ type, maxLength }: Pick<TextField, 'type' | 'maxLength'>): number {
  return maxLength ?? (type === 'textarea' ? MAX_FIELD_LENGTH : DEFAULT_FIELD_LENGTH);
}

export function isTextField(field: FieldDeclaration): field is TextField {
  return field.type === 'text' || field.type === 'textarea' || field.type === 'url';
}

/** Between the choices of one value. No option contains it. */
export const CHOICE_SEPARATOR = ' | ';

/** Control characters and lone surrogates: no store preserves lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
export const UNSTORABLE = /[\u0000-\u001f\u007f\ud800-\udfff]/u;

/** The normal form of a `url` value, also in the Firestore rules: no spaces, no quotes, no user name. */
export const WEB_ADDRESS = /^https?:\/\/[^\s/?#@:"<>\\]+\.[^\s/?#@:"<>\\.]+(:\d{1,5})?([/?#][^\s"<>\\]*)?$/;

/** E.164: a plus sign, the country code, and at most 15 digits with it. */
export const PHONE_NUMBER = /^\+[1-9][0-9]{6,14}$/;

/** A day of the calendar; the last part has the 29th of February. */
export const CALENDAR_DAY =
  /^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)$/;

/**
 * Returns the value in its normal form, undefined if it is empty, or what is wrong with it.
 *
 * @example
 * checkValue({ type: 'text', label: 'Company' }, ' Acme '); // { value: 'Acme' }
 */
export function checkValue(
  field: FieldDeclaration,
  given: unknown,
): { readonly value: string | true | undefined } | { readonly problem: FieldProblem } {
  const value = normalValue(field, given);
  if (value === undefined && field.required === true) return { problem: 'required' };
  return value === 'too-long' || value === 'invalid' ? { problem: value } : { value: value?.of };
}

type NormalValue = { readonly of: string | true } | undefined | Exclude<FieldProblem, 'required'>;

function normalValue(field: FieldDeclaration, given: unknown): NormalValue {
  if (given === undefined || given === '') return undefined;
  if (field.type === 'checkbox') return normalCheckbox(field, given);
  const entered = enteredText(field, given);
  if (entered === undefined) return 'invalid';
  // Bounded before any other work.
  if (entered.length > 2 * MAX_FIELD_LENGTH) return 'too-long';
  const text = entered.trim();
  return text === '' ? undefined : normalText(field, text);
}

/** Programs may send a number as one, and several choices as a list. */
function enteredText({ type }: FieldDeclaration, given: unknown): string | undefined {
  if (type === 'number' && typeof given === 'number') return String(given);
  if (type === 'choices' && Array.isArray(given) && given.every((choice) => typeof choice === 'string')) {
    return given.join();
  }
  return typeof given === 'string' ? given : undefined;
}

/** The only parser of each type that is entered as text. */
function normalText(field: Exclude<FieldDeclaration, CheckboxField>, text: string): NormalValue {
  const allowIf = (isValid: boolean, value = text) => (isValid ? { of: value } : 'invalid');
  switch (field.type) {
    case 'select':
      return allowIf(optionValues(field).includes(text));
    case 'choices':
      return normalChoices(optionValues(field), text);
    case 'number':
      return normalNumber(field, text);
    case 'date': {
      const { min = text, max = text } = field;
      return allowIf(CALENDAR_DAY.test(text) && min <= text && text <= max);
    }
    case 'tel': {
      const number = text.replace(/\(0\)|[\s()./-]/g, '').replace(/^00/, '+');
      return allowIf(PHONE_NUMBER.test(number), number);
    }
    case 'textarea':
      return normalLine(field, text.replace(/\r\n?/g, '\n'));
    case 'url': {
      const url = /^\w+:\/\//.test(text)
        ? text.replace(/^https?:/i, (scheme) => scheme.toLowerCase())
        : `https://${text}`;
      const normal = normalLine(field, url);
      return normal === 'too-long' || WEB_ADDRESS.test(url) ? normal : 'invalid';
    }
    case 'text':
      return normalLine(field, text);
  }
}

function normalLine(field: TextField, text: string): NormalValue {
  if (text.length > fieldLength(field)) return 'too-long';
  return UNSTORABLE.test(field.type === 'textarea' ? text.replaceAll('\n', '') : text) ? 'invalid' : { of: text };
}

/** Forms send several values with commas between them, and other programs write lists with other marks. */
function normalChoices(values: readonly string[], text: string): NormalValue {
  const chosen = text
    .split(/[,;|\n]/)
    .map((choice) => choice.trim())
    .filter(Boolean);
  if (chosen.length === 0) return undefined;
  if (!chosen.every((choice) => values.includes(choice))) return 'invalid';
  return { of: values.filter((value) => chosen.includes(value)).join(CHOICE_SEPARATOR) };
}

/** Digits beyond `decimals` are refused, not rounded: "1.000" may be a thousand. */
function normalNumber({ min, max, decimals = 0 }: NumberField, text: string): NormalValue {
  const [, sign, digits, fraction = ''] = /^([+-]?)([0-9]{1,15})(?:[.,]([0-9]{1,6}))?$/.exec(text) ?? [];
  if (digits === undefined || fraction.length > decimals) return 'invalid';
  const decimal = fraction.replace(/0+$/, '');
  const size = digits.replace(/^0+(?=[0-9])/, '') + (decimal && `.${decimal}`);
  const number = sign === '-' && size !== '0' ? `-${size}` : size;
  const isTooSmall = min !== undefined && Number(number) < min;
  return isTooSmall || (max !== undefined && Number(number) > max) ? 'invalid' : { of: number };
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

/**
 * Parses untrusted values on the trusted side of a store. Undefined if there are none: a page from before the
 * declaration sends none, so that is valid even if a field is required. Throws a `StorageError` with code `invalid`
 * that names the field, never its value.
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
  return `must have at most ${isTextField(field) ? fieldLength(field) : DEFAULT_FIELD_LENGTH} characters`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an error that names a field and the rule that its value breaks. */
export function invalid(field: string, rule: string): StorageError {
  return new StorageError('invalid', `${field} ${rule}`);
}
