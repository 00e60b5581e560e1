import {
  BASIC_KEYS,
  checkBasicDeclarations,
  checkBasicField,
  checkCommon,
  checkOptions,
  checkTextOptions,
  type Given,
  isLength,
  isText,
  longestBasicValue,
  type Wrong,
} from './field-declarations.ts';
import {
  type ChoicesField,
  type FieldDeclaration,
  type FieldDeclarations,
  isObject,
  MAX_FIELD_LENGTH,
  optionValues,
} from './fields.ts';
import { CALENDAR_DAY, CHOICE_SEPARATOR, fieldLength, labelParts } from './more-fields.ts';

const MAX_DECIMALS = 6;

/** An http(s) URL, or a path of the same site. Browsers treat a backslash as a slash, so `/\` leads to another site. */
const LINK = /^(https?:\/\/[^\s"<>\\/]|\/(?![/\\]))[^\s"<>\\]*$/i;
const MAX_LINK_LENGTH = 2_048;

/** The allowed keys of a declaration, by all other types. */
const MORE_KEYS = {
  textarea: ['maxLength', 'placeholder', 'autoComplete'],
  tel: ['placeholder'],
  number: ['min', 'max', 'decimals', 'placeholder'],
  date: ['min', 'max'],
  choices: ['options'],
} as const;

/**
 * Checks a declaration, such as one read from a file, and returns it. Throws a `TypeError` that names the field and the
 * problem.
 *
 * @example
 * const fields = checkDeclarations(JSON.parse(text));
 */
export function checkDeclarations(declared: unknown): FieldDeclarations {
  return checkBasicDeclarations(declared, checkField, longestValue);
}

function checkField({ links, help, ...given }: Given, wrong: Wrong): FieldDeclaration {
  const field = checkKind(given, wrong);
  return {
    ...field,
    ...(links !== undefined && { links: checkLinks(field.label, links, wrong) }),
    ...(help !== undefined && { help: isText(help) ? help : wrong('help must be a text') }),
  };
}

function checkKind(given: Given, wrong: Wrong): FieldDeclaration {
  const { type, min, max, decimals, placeholder, options } = given;
  if (!isMoreType(type)) {
    if (typeof type !== 'string' || !Object.hasOwn(BASIC_KEYS, type)) {
      return wrong(`type must be one of ${Object.keys({ ...BASIC_KEYS, ...MORE_KEYS }).join(', ')}`);
    }
    const field = checkBasicField(given, wrong, '');
    return field.type === 'select' && optionValues(field).some((value) => value.includes(CHOICE_SEPARATOR))
      ? wrong(`no value of an option may contain "${CHOICE_SEPARATOR}"`)
      : field;
  }
  const common = checkCommon(given, MORE_KEYS[type], wrong);
  const shown = isText(placeholder) && { placeholder };
  switch (type) {
    case 'textarea':
      return { type, ...common, ...checkTextOptions(given, wrong) };
    case 'tel':
      return { type, ...common, ...shown };
    case 'number': {
      const number = { ...common, ...checkRange(min, max, isNumber, 'numbers', wrong), ...shown };
      if (decimals === undefined) return { type, ...number };
      return isLength(decimals) && decimals <= MAX_DECIMALS
        ? { type, ...number, decimals }
        : wrong(`decimals must be a whole number from 1 to ${MAX_DECIMALS}`);
    }
    case 'date':
      return { type, ...common, ...checkRange(min, max, isDay, 'days such as 2026-01-31', wrong) };
    case 'choices':
      return { type, ...common, ...checkChoices(options, wrong) };
  }
}

function longestValue(field: FieldDeclaration): number {
  switch (field.type) {
    case 'textarea':
      return fieldLength(field);
    case 'choices':
      return optionValues(field).join(CHOICE_SEPARATOR).length;
    case 'tel':
    case 'number':
    case 'date':
      // The longest number: a sign, 15 digits, the decimal point and 6 more digits.
      return 17 + MAX_DECIMALS;
    default:
      return longestBasicValue(field);
  }
}

function isMoreType(value: unknown): value is keyof typeof MORE_KEYS {
  return typeof value === 'string' && Object.hasOwn(MORE_KEYS, value);
}

function checkChoices(given: unknown, wrong: Wrong): Pick<ChoicesField, 'options'> {
  const { options } = checkOptions(given, wrong);
  const values = optionValues({ options });
  if (values.join(CHOICE_SEPARATOR).length > MAX_FIELD_LENGTH) wrong('all options together are too long for one value');
  // Elements send a ticked box with one of these values as `true`.
  if (values.some((value) => /[,;|]|^(on|true)$/.test(value))) {
    wrong('the value of an option must be without , ; and |, and not on or true');
  }
  return { options };
}

function checkLinks(label: string, links: unknown, wrong: Wrong): Readonly<Record<string, string>> {
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

/** Throws unless the limits are valid and in order. */
function checkRange<T extends number | string>(
  min: unknown,
  max: unknown,
  isLimit: (value: unknown) => value is T,
  kind: string,
  wrong: Wrong,
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
