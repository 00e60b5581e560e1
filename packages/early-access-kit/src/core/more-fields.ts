import {
  checkBasicValue,
  DEFAULT_FIELD_LENGTH,
  type EnteredField,
  type FieldDeclaration,
  type FieldDeclarations,
  type FieldProblem,
  invalid,
  isObject,
  MAX_FIELD_LENGTH,
  type NormalValue,
  type NumberField,
  normalBasicText,
  normalLine,
  optionValues,
  type SignupFields,
  type TextField,
} from './fields.ts';

/** Values of all field types. Pages with only the most common types do not load this module. */

/** A part of a label; `href` is set if it is a link. */
export interface LabelPart {
  readonly text: string;
  readonly href?: string;
}

/** Splits the label at its links. The texts of the parts concatenate to the label. */
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

/** The maximum length of a text field, in UTF-16 code units. */
export function fieldLength({ type, maxLength }: Pick<TextField, 'type' | 'maxLength'>): number {
  return maxLength ?? (type === 'textarea' ? MAX_FIELD_LENGTH : DEFAULT_FIELD_LENGTH);
}

export function isTextField(field: FieldDeclaration): field is TextField {
  return field.type === 'text' || field.type === 'textarea' || field.type === 'url';
}

/** Separates choices in a stored value. No option contains it. */
export const CHOICE_SEPARATOR = ' | ';

/** E.164: a plus sign and up to 15 digits including the country code. */
export const PHONE_NUMBER = /^\+[1-9][0-9]{6,14}$/;

/** A valid calendar date; the last alternative is the 29th of February. */
export const CALENDAR_DAY =
  /^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)$/;

/**
 * Returns the value in its normal form; undefined if it is empty; otherwise the problem.
 *
 * @example
 * checkValue({ type: 'text', label: 'Company' }, ' Acme '); // { value: 'Acme' }
 */
export function checkValue(field: FieldDeclaration, given: unknown): ReturnType<typeof checkBasicValue> {
  return checkBasicValue(field, toText(field, given), normalText);
}

/** API clients may send a number as a JSON number, and several choices as a list. */
function toText({ type }: FieldDeclaration, given: unknown): unknown {
  if (type === 'number' && typeof given === 'number') return String(given);
  const isList = Array.isArray(given) && given.every((choice) => typeof choice === 'string');
  return type === 'choices' && isList ? given.join() : given;
}

function normalText(field: EnteredField, text: string): NormalValue {
  const allowIf = (isValid: boolean, value = text) => (isValid ? { of: value } : 'invalid');
  switch (field.type) {
    case 'choices':
      return normalChoices(optionValues(field), text);
    case 'number':
      return normalNumber(field, toHalfWidth(text));
    case 'date': {
      const { min = text, max = text } = field;
      return allowIf(CALENDAR_DAY.test(text) && min <= text && text <= max);
    }
    case 'tel': {
      const number = toHalfWidth(text)
        .replace(/\(0\)|[\s()./-]/g, '')
        .replace(/^00/, '+');
      return allowIf(PHONE_NUMBER.test(number), number);
    }
    case 'textarea': {
      const lines = text.replace(/\r\n?/g, '\n');
      const normal = normalLine(lines.replaceAll('\n', ' '), fieldLength(field));
      return typeof normal === 'object' ? { of: lines } : normal;
    }
    default:
      return normalBasicText(field, text);
  }
}

/** Japanese and Chinese keyboards may type full-width digits and signs. */
const toHalfWidth = (text: string) => text.normalize('NFKC');

/** Forms separate several values with commas; other programs use other separators. */
function normalChoices(values: readonly string[], text: string): NormalValue {
  const chosen = text
    .split(/[,;|\n]/)
    .map((choice) => choice.trim())
    .filter(Boolean);
  if (chosen.length === 0) return undefined;
  if (!chosen.every((choice) => values.includes(choice))) return 'invalid';
  return { of: values.filter((value) => chosen.includes(value)).join(CHOICE_SEPARATOR) };
}

/** More than `decimals` places are rejected, not rounded: "1.000" may mean a thousand. */
function normalNumber({ min, max, decimals = 0 }: NumberField, text: string): NormalValue {
  const [, sign, digits, fraction = ''] = /^([+-]?)([0-9]{1,15})(?:[.,]([0-9]{1,6}))?$/.exec(text) ?? [];
  if (digits === undefined || fraction.length > decimals) return 'invalid';
  const decimal = fraction.replace(/0+$/, '');
  const size = digits.replace(/^0+(?=[0-9])/, '') + (decimal && `.${decimal}`);
  const number = sign === '-' && size !== '0' ? `-${size}` : size;
  const isTooSmall = min !== undefined && Number(number) < min;
  return isTooSmall || (max !== undefined && Number(number) > max) ? 'invalid' : { of: number };
}

/**
 * Parses untrusted values on the trusted side of a store. Returns undefined if there are none, which is valid even if a
 * field is required: a page loaded before the declaration sends none. Throws a `StorageError` with code `invalid` that
 * names the field, never its value.
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

/** Returns the rule that a value breaks, for an error message that starts with the name of the field. */
export function explainProblem(field: FieldDeclaration, problem: FieldProblem): string {
  if (problem === 'required') return 'is required';
  if (problem === 'invalid') return `must be a valid value of type ${field.type}`;
  return `must have at most ${isTextField(field) ? fieldLength(field) : DEFAULT_FIELD_LENGTH} characters`;
}
