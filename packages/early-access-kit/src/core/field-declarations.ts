import {
  consentTexts,
  type FieldDeclaration,
  type FieldDeclarations,
  isObject,
  MAX_FIELD_LENGTH,
  maxLengthOf,
  optionValues,
  type SelectField,
  type TextField,
  UNSTORABLE,
} from './fields.ts';
import { HONEYPOT_FIELD } from './protocol.ts';
import { CAMPAIGN_FIELDS } from './records.ts';

/** The pattern of field names. */
export const FIELD_NAME = /^[a-z][a-z0-9_]{0,39}$/;

const MAX_FIELDS = 20;
/** The limit of all fields of a signup together, in UTF-16 code units, so that a signup fits into `MAX_BODY_BYTES`. */
const MAX_FIELDS_LENGTH = 4_000;
/** Enough for a list of all countries. */
const MAX_OPTIONS = 300;
/** The limit of all options and consent texts together: the Firestore rules contain them and may have 256 KB. */
const MAX_CHOICES_LENGTH = 20_000;

/** Names of CSV columns, form inputs, and properties of every object. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['id', 'email', 'session_id', 'source', 'referrer', 'submission_id', 'created_at', 'state', 'page_url', 'lang'],
  ...['fields', 'other_fields', 'human_token', 'constructor', HONEYPOT_FIELD],
  ...['confirmed_at', 'unsubscribed_at', 'bounced_at', 'bounced_from', 'invited_at', 'joined_at', 'confirmed_by'],
  ...['consent_text', 'consent_page', 'mail_state', 'labels'],
  ...CAMPAIGN_FIELDS,
]);

/** The allowed keys of a declaration, by basic type. */
export const BASIC_KEYS = {
  text: ['maxLength', 'placeholder', 'autoComplete'],
  url: ['maxLength', 'placeholder', 'autoComplete'],
  select: ['options', 'placeholder'],
  checkbox: ['consent', 'acceptedTexts'],
} as const;

/** A declaration that is not yet checked. */
export type Given = Readonly<Record<string, unknown>>;
/** Throws an error that names the field and the rule. */
export type Wrong = (rule: string) => never;

/**
 * `checkDeclarations` for the most common types, so that pages with no other types load less code. `checkField` and
 * `longestValue` default to the versions for these types.
 */
export function checkBasicDeclarations(
  declared: unknown,
  checkField: (given: Given, wrong: Wrong) => FieldDeclaration = checkBasicField,
  longestValue = longestBasicValue,
): FieldDeclarations {
  if (!isObject(declared)) throw new TypeError('fields: must be an object with a declaration for each field');
  const entries = Object.entries(declared);
  if (entries.length > MAX_FIELDS) throw new TypeError(`fields: at most ${MAX_FIELDS} fields can be declared`);
  const fields = entries.map(([name, given]) => {
    const wrong: Wrong = (rule) => {
      throw new TypeError(`fields.${name}: ${rule}`);
    };
    if (!FIELD_NAME.test(name)) {
      wrong('the name must be a lower-case letter, then up to 39 lower-case letters, digits or underscores');
    }
    if (RESERVED.has(name)) wrong('this name is reserved; choose another one');
    return [name, isObject(given) ? checkField(given, wrong) : wrong('must be an object')] as const;
  });
  const length = fields.reduce((sum, [, field]) => sum + longestValue(field), 0);
  if (length > MAX_FIELDS_LENGTH) {
    throw new TypeError(
      `fields: together they allow ${length} characters, more than ${MAX_FIELDS_LENGTH}; lower maxLength or shorten texts`,
    );
  }
  const choices = fields.flatMap(([, field]) => listChoices(field)).reduce((sum, choice) => sum + choice.length, 0);
  if (choices > MAX_CHOICES_LENGTH) {
    throw new TypeError(
      `fields: options and texts of consents have ${choices} characters together, more than ${MAX_CHOICES_LENGTH}`,
    );
  }
  return Object.fromEntries(fields);
}

/** `elsewhere` is appended to errors about types and keys that are unknown here. */
export function checkBasicField(
  given: Given,
  wrong: Wrong,
  elsewhere = '; signupFields of early-access-kit/more-fields has more',
): FieldDeclaration {
  const { type, placeholder, options, consent, acceptedTexts } = given;
  if (!isBasicType(type)) return wrong(`type must be one of ${Object.keys(BASIC_KEYS).join(', ')}${elsewhere}`);
  const common = checkCommon(given, BASIC_KEYS[type], wrong, elsewhere);
  if (type === 'checkbox') {
    if (!isOptional(consent, isBoolean)) wrong('consent must be true or false');
    if (acceptedTexts === undefined) return { type, ...common, ...(consent === true && { consent }) };
    if (consent !== true) wrong('acceptedTexts are for a consent; set consent to true');
    if (!Array.isArray(acceptedTexts) || !acceptedTexts.every(isText)) return wrong('acceptedTexts must be texts');
    return { type, ...common, consent: true, acceptedTexts };
  }
  return type === 'select'
    ? { type, ...common, ...checkOptions(options, wrong), ...(isText(placeholder) && { placeholder }) }
    : { type, ...common, ...checkTextOptions(given, wrong) };
}

/** Rejects unknown keys, and checks the keys that several types have. */
export function checkCommon(
  given: Given,
  keys: readonly string[],
  wrong: Wrong,
  elsewhere = '',
): Pick<FieldDeclaration, 'label' | 'required'> {
  const { type, label, required, placeholder, autoComplete } = given;
  if (!isText(label)) return wrong(`label must be a text of at most ${MAX_FIELD_LENGTH} characters`);
  if (!isOptional(required, isBoolean)) wrong('required must be true or false');
  if (!isOptional(placeholder, isText)) wrong('placeholder must be a text');
  if (!isOptional(autoComplete, isText)) wrong('autoComplete must be a text');
  for (const key of Object.keys(given)) {
    if (!['type', 'label', 'required', ...keys].includes(key)) {
      wrong(`${key} is not an option of the type ${type}${elsewhere}`);
    }
  }
  return { label, ...(required === true && { required }) };
}

export function checkTextOptions(
  { maxLength, placeholder, autoComplete }: Given,
  wrong: Wrong,
): Pick<TextField, 'maxLength' | 'placeholder' | 'autoComplete'> {
  if (maxLength !== undefined && !isLength(maxLength)) {
    return wrong(`maxLength must be a whole number from 1 to ${MAX_FIELD_LENGTH}`);
  }
  return {
    ...(maxLength !== undefined && { maxLength }),
    ...(isText(placeholder) && { placeholder }),
    ...(isText(autoComplete) && { autoComplete }),
  };
}

export function checkOptions(options: unknown, wrong: Wrong): Pick<SelectField, 'options'> {
  if (!Array.isArray(options) || options.length === 0 || options.length > MAX_OPTIONS) {
    return wrong(`options must be a list of 1 to ${MAX_OPTIONS} choices`);
  }
  const isOption = (option: unknown) =>
    isText(option) || (isObject(option) && isText(option.value) && isText(option.label));
  if (!options.every(isOption)) wrong('each option must be a text, or an object with value and label');
  if (new Set(optionValues({ options })).size !== options.length) wrong('each option must have its own value');
  return { options };
}

export function longestBasicValue(field: FieldDeclaration): number {
  return 'options' in field || field.type === 'checkbox'
    ? Math.max('true'.length, ...listChoices(field).map(({ length }) => length))
    : maxLengthOf(field);
}

/** Returns the only possible values of a field, empty if any text is possible. */
function listChoices(field: FieldDeclaration): readonly string[] {
  if ('options' in field) return optionValues(field);
  return field.type === 'checkbox' && field.consent ? consentTexts(field) : [];
}

export function isText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() === value &&
    value !== '' &&
    value.length <= MAX_FIELD_LENGTH &&
    !UNSTORABLE.test(value)
  );
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isBasicType(value: unknown): value is keyof typeof BASIC_KEYS {
  return typeof value === 'string' && Object.hasOwn(BASIC_KEYS, value);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

export function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_FIELD_LENGTH;
}
