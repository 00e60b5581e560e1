import {
  CALENDAR_DAY,
  CHOICE_SEPARATOR,
  consentTexts,
  type FieldDeclaration,
  type FieldDeclarations,
  type FieldType,
  fieldLength,
  isObject,
  isTextField,
  labelParts,
  MAX_FIELD_LENGTH,
  optionValues,
  UNSTORABLE,
} from './fields.ts';
import { HONEYPOT_FIELD } from './protocol.ts';
import { CAMPAIGN_FIELDS } from './records.ts';

/** The keys of declarations. */
export const FIELD_NAME = /^[a-z][a-z0-9_]{0,39}$/;

const MAX_FIELDS = 20;
const MAX_DECIMALS = 6;
/** The limit of all fields of a signup together, in UTF-16 code units, so that a signup fits into `MAX_BODY_BYTES`. */
const MAX_FIELDS_LENGTH = 4_000;
/** Enough for all countries. */
const MAX_OPTIONS = 300;
/** The limit of all options and texts of consents together: the Firestore rules contain them and may have 256 KB. */
const MAX_CHOICES_LENGTH = 20_000;

/** Columns of the CSV, inputs of the form, and what every object has. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['id', 'email', 'session_id', 'source', 'referrer', 'submission_id', 'created_at', 'state', 'page_url', 'lang'],
  ...['fields', 'other_fields', 'human_token', 'constructor', HONEYPOT_FIELD],
  ...['confirmed_at', 'unsubscribed_at', 'bounced_at', 'bounced_from', 'invited_at', 'joined_at', 'confirmed_by'],
  ...['consent_text', 'consent_page', 'mail_state', 'labels'],
  ...CAMPAIGN_FIELDS,
]);

/** An http(s) URL, or a path of the same site. A backslash would make another site of a path. */
const LINK = /^(https?:\/\/[^\s"<>\\/]|\/(?![/\\]))[^\s"<>\\]*$/i;
const MAX_LINK_LENGTH = 2_048;

/** The keys that a declaration of each type may have. */
const KEYS: Record<FieldType, readonly string[]> = {
  text: ['maxLength', 'placeholder', 'autoComplete'],
  textarea: ['maxLength', 'placeholder', 'autoComplete'],
  tel: ['placeholder'],
  number: ['min', 'max', 'decimals', 'placeholder'],
  date: ['min', 'max'],
  choices: ['options'],
  url: ['maxLength', 'placeholder', 'autoComplete'],
  select: ['options', 'placeholder'],
  checkbox: ['consent', 'acceptedTexts'],
};

/**
 * Checks a declaration, such as one read from a file, and returns it. Throws a `TypeError` that names the field and
 * what is wrong with it.
 *
 * @example
 * const fields = checkDeclarations(JSON.parse(text));
 */
export function checkDeclarations(declared: unknown): FieldDeclarations {
  if (!isObject(declared)) throw new TypeError('fields: must be an object with a declaration for each field');
  const entries = Object.entries(declared);
  if (entries.length > MAX_FIELDS) throw new TypeError(`fields: at most ${MAX_FIELDS} fields can be declared`);
  const fields = entries.map(([name, field]) => [name, checkDeclaration(name, field)] as const);
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

function checkDeclaration(name: string, given: unknown): FieldDeclaration {
  const wrong = (rule: string): never => {
    throw new TypeError(`fields.${name}: ${rule}`);
  };
  const check = (holds: boolean, rule: string) => holds || wrong(rule);
  const isText = (value: unknown): value is string =>
    typeof value === 'string' &&
    value.trim() === value &&
    value !== '' &&
    value.length <= MAX_FIELD_LENGTH &&
    !UNSTORABLE.test(value);
  const optional = (value: unknown, is: (value: unknown) => boolean) => value === undefined || is(value);

  check(
    FIELD_NAME.test(name),
    'the name must be a lower-case letter, then up to 39 lower-case letters, digits or underscores',
  );
  check(!RESERVED.has(name), 'this name is reserved; choose another one');
  if (!isObject(given)) return wrong('must be an object');
  const {
    type,
    label,
    links,
    help,
    required,
    min,
    max,
    decimals,
    maxLength,
    placeholder,
    autoComplete,
    options,
    consent,
    acceptedTexts,
  } = given;
  if (!isText(label)) return wrong(`label must be a text of at most ${MAX_FIELD_LENGTH} characters`);
  const checkedLinks = links === undefined ? undefined : checkLinks(label, links, wrong);
  check(optional(help, isText), 'help must be a text');
  check(optional(required, isBoolean), 'required must be true or false');
  check(optional(placeholder, isText), 'placeholder must be a text');
  check(optional(autoComplete, isText), 'autoComplete must be a text');
  if (!isType(type)) return wrong(`type must be one of ${Object.keys(KEYS).join(', ')}`);
  for (const key of Object.keys(given)) {
    check(
      ['type', 'label', 'links', 'help', 'required', ...KEYS[type]].includes(key),
      `${key} is not an option of the type ${type}`,
    );
  }
  const common = {
    label,
    ...(checkedLinks && { links: checkedLinks }),
    ...(isText(help) && { help }),
    ...(required === true && { required }),
  };

  if (type === 'checkbox') {
    check(optional(consent, isBoolean), 'consent must be true or false');
    if (acceptedTexts === undefined) return { type, ...common, ...(consent === true && { consent }) };
    check(consent === true, 'acceptedTexts are for a consent; set consent to true');
    if (!Array.isArray(acceptedTexts) || !acceptedTexts.every(isText)) return wrong('acceptedTexts must be texts');
    return { type, ...common, consent: true, acceptedTexts };
  }
  if (type === 'tel') return { type, ...common, ...(isText(placeholder) && { placeholder }) };
  if (type === 'number') {
    const number = {
      type,
      ...common,
      ...checkedRange(min, max, isNumber, 'numbers', wrong),
      ...(isText(placeholder) && { placeholder }),
    };
    if (decimals === undefined) return number;
    return isLength(decimals) && decimals <= MAX_DECIMALS
      ? { ...number, decimals }
      : wrong(`decimals must be a whole number from 1 to ${MAX_DECIMALS}`);
  }
  if (type === 'date') return { type, ...common, ...checkedRange(min, max, isDay, 'days such as 2026-01-31', wrong) };
  if (type === 'select' || type === 'choices') {
    if (!Array.isArray(options) || options.length === 0 || options.length > MAX_OPTIONS) {
      return wrong(`options must be a list of 1 to ${MAX_OPTIONS} choices`);
    }
    const isOption = (option: unknown) =>
      isText(option) || (isObject(option) && isText(option.value) && isText(option.label));
    check(options.every(isOption), 'each option must be a text, or an object with value and label');
    const values = optionValues({ options });
    check(new Set(values).size === values.length, 'each option must have its own value');
    if (type === 'choices') {
      check(
        values.join(CHOICE_SEPARATOR).length <= MAX_FIELD_LENGTH,
        'all options together are too long for one value',
      );
      // Elements send a ticked box with one of these values as `true`.
      check(
        !values.some((value) => /[,;|]|^(on|true)$/.test(value)),
        'the value of an option must be without , ; and |, and not on or true',
      );
      return { type, ...common, options };
    }
    check(
      !values.some((value) => value.includes(CHOICE_SEPARATOR)),
      `no value of an option may contain "${CHOICE_SEPARATOR}"`,
    );
    return { type, ...common, options, ...(isText(placeholder) && { placeholder }) };
  }
  if (maxLength !== undefined && !isLength(maxLength)) {
    return wrong(`maxLength must be a whole number from 1 to ${MAX_FIELD_LENGTH}`);
  }
  return {
    type,
    ...common,
    ...(maxLength !== undefined && { maxLength }),
    ...(isText(placeholder) && { placeholder }),
    ...(isText(autoComplete) && { autoComplete }),
  };
}

function checkLinks(label: string, links: unknown, wrong: (rule: string) => never): Readonly<Record<string, string>> {
  if (!isObject(links)) return wrong('links must be an object of URLs by their texts in the label');
  const checked: Record<string, string> = {};
  for (const [text, href] of Object.entries(links)) {
    if (text === '' || label.split(text).length !== 2) wrong(`links: "${text}" must be in the label exactly once`);
    if (typeof href !== 'string' || href.length > MAX_LINK_LENGTH || !LINK.test(href)) {
      return wrong(`links: the URL of "${text}" must begin with https://, http:// or one slash`);
    }
    checked[text] = href;
  }
  const joined = labelParts({ label, links: checked }).map(({ text }) => text);
  return joined.join('') === label ? checked : wrong('links must not overlap');
}

function longestValue(field: FieldDeclaration): number {
  if (isTextField(field)) return fieldLength(field);
  if (field.type === 'choices') return optionValues(field).join(CHOICE_SEPARATOR).length;
  // A number has the most: a sign, 15 digits, the decimal sign and 6 digits more.
  if (!('options' in field) && field.type !== 'checkbox') return 17 + MAX_DECIMALS;
  return Math.max('true'.length, ...listChoices(field).map(({ length }) => length));
}

/** The texts that are the only possible values of a field, if there are any. */
function listChoices(field: FieldDeclaration): readonly string[] {
  if (field.type === 'select' || field.type === 'choices') return optionValues(field);
  return field.type === 'checkbox' && field.consent ? consentTexts(field) : [];
}

/** Throws unless the limits are valid and in their order. */
function checkedRange<T extends number | string>(
  min: unknown,
  max: unknown,
  isLimit: (value: unknown) => value is T,
  kind: string,
  wrong: (rule: string) => never,
): { readonly min?: T; readonly max?: T } {
  if ((min !== undefined && !isLimit(min)) || (max !== undefined && !isLimit(max))) {
    return wrong(`min and max must be ${kind}`);
  }
  if (min !== undefined && max !== undefined && min > max) return wrong('min must not be more than max');
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && /^-?[0-9]{1,15}(\.[0-9]{1,6})?$/.test(String(value));
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && CALENDAR_DAY.test(value);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_FIELD_LENGTH;
}

function isType(value: unknown): value is FieldType {
  return typeof value === 'string' && Object.hasOwn(KEYS, value);
}
