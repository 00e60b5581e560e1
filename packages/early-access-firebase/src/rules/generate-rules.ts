import {
  CALENDAR_DAY,
  CHOICE_SEPARATOR,
  consentTexts,
  type FieldDeclaration,
  type FieldDeclarations,
  fieldLength,
  optionValues,
  PHONE_NUMBER,
  WEB_ADDRESS,
} from 'early-access-kit/internal';
import {
  CONTROL_CHARACTERS,
  CONTROL_CHARACTERS_IN_LINES,
  quoted,
  re2,
  SPACES,
  toAlternatives,
  toPattern,
} from './re2.ts';

export interface RulesOptions {
  /** The site's own fields, checked by `checkDeclarations`. Default: none. */
  readonly fields?: FieldDeclarations | undefined;
  /** Whether browsers may write signups themselves. Default: false; the function `accept-signups` stores them. */
  readonly directSignups?: boolean | undefined;
  /** The most days that a session may be stored: 1 to 3650. Default: 395. */
  readonly retentionDays?: number | undefined;
}

/**
 * Returns the rules of a site with these options. `template` is `firestore.rules`, the rules of a site with the
 * defaults. A signup's `fields` are accepted exactly if core's `parseFields` accepts them and would change nothing.
 */
export function generateRules(
  template: string,
  { fields = {}, directSignups = false, retentionDays }: RulesOptions,
): string {
  let rules = template;
  if (Object.keys(fields).length > 0) rules = replaceFunction(rules, 'areOwnFields', fieldFunctions(fields));
  if (directSignups) rules = replaceFunction(rules, 'signupsAreDirect', constant('signupsAreDirect', true));
  if (retentionDays !== undefined)
    rules = replaceFunction(rules, 'retentionDays', constant('retentionDays', retentionDays));
  return rules;
}

/** Whether browsers may write signups under these rules of ours. */
export function opensSignups(rules: string): boolean {
  return /\bfunction signupsAreDirect\(\)\s*\{\s*return true;\s*\}/.test(rules);
}

function constant(name: string, value: boolean | number): string {
  return `    function ${name}() {\n      return ${value};\n    }\n`;
}

/** Replaces a function with everything up to the end of its last line. */
function replaceFunction(rules: string, name: string, replacement: string): string {
  const definition = new RegExp(`^ {4}function ${name}\\(.*\\n( {5}.*\\n)* {4}\\}\\n`, 'm');
  if (!definition.test(rules)) throw new Error(`the rules have no function ${name} to replace`);
  return rules.replace(definition, () => replacement);
}

/**
 * Lengths are compared in UTF-16 code units, as core does. A request may evaluate 1,000 expressions, which must be
 * enough for the most fields: patterns stand for lists of texts, and nothing asks for a type whose values alone have
 * the methods.
 */
function fieldFunctions(fields: FieldDeclarations): string {
  const ownText = re2(ownPattern(CONTROL_CHARACTERS));
  const names = Object.keys(fields).map(quoted).join(', ');
  const checks = Object.entries(fields).map(([name, field]) => `\n        && ${checkField(name, field)}`);
  return `    function areOwnFields(values) {
      return values is map
        && values.keys().hasOnly([${names}])${checks.join('')};
    }

    // Text without spaces around it and without control characters.
    function isOwnText(value, maxLength) {
      return value.size() <= maxLength && value.matches(${ownText});
    }

    function isWebAddress(value, maxLength) {
      return value.size() <= maxLength
        && value.matches(${ownText})
        && value.matches(${re2(WEB_ADDRESS)});
    }
${Object.values(fields).some(({ type }) => type === 'textarea') ? OWN_LINES : ''}`;
}

/** Text without spaces around it. `refused`: what it has none of. */
function ownPattern(refused: string): string {
  const end = `[^${SPACES}${CONTROL_CHARACTERS}]`;
  return `${end}([^${refused}]*${end})?`;
}

/** The function for texts of several lines. */
const OWN_LINES = `
    // The same with line breaks.
    function isOwnLines(value, maxLength) {
      return value.size() <= maxLength && value.matches(${re2(ownPattern(CONTROL_CHARACTERS_IN_LINES))});
    }
`;

/**
 * Names are quoted everywhere, because they may be words of the rules language. A missing value that is required is an
 * error, which denies.
 */
function checkField(name: string, field: FieldDeclaration): string {
  const value = `values[${quoted(name)}]`;
  const check = checkValue(value, field);
  return field.required ? check : `(!(${quoted(name)} in values) || ${check})`;
}

type Limit = number | string | undefined;

function checkValue(value: string, field: FieldDeclaration): string {
  switch (field.type) {
    case 'text':
      return `isOwnText(${value}, ${fieldLength(field)})`;
    case 'textarea':
      return `isOwnLines(${value}, ${fieldLength(field)})`;
    case 'url':
      return `isWebAddress(${value}, ${fieldLength(field)})`;
    case 'tel':
      return `${value}.matches(${re2(PHONE_NUMBER)})`;
    case 'number':
      return `${value}.matches(${re2(numberPattern(field.decimals))})${checkLimits(`float(${value})`, field)}`;
    case 'date':
      return `${value}.matches(${re2(CALENDAR_DAY)})${checkLimits(value, field)}`;
    case 'choices':
      return checkChoices(value, optionValues(field));
    case 'select':
      return checkChoice(value, optionValues(field));
    case 'checkbox':
      return field.consent ? checkChoice(value, consentTexts(field)) : `${value} == true`;
  }
}

/** A number in its shortest form, of which -0 is none. */
function numberPattern(decimals = 0): string {
  const whole = '-?[1-9][0-9]{0,14}';
  if (decimals === 0) return `(0|${whole})`;
  const fraction = `[.][0-9]{0,${decimals - 1}}[1-9]`;
  return `(0|${whole}(${fraction})?|-?0${fraction})`;
}

function checkLimits(value: string, { min, max }: { readonly min?: Limit; readonly max?: Limit }): string {
  const write = (limit: Limit) => (typeof limit === 'string' ? re2(limit) : limit);
  return [min !== undefined && ` && ${value} >= ${write(min)}`, max !== undefined && ` && ${value} <= ${write(max)}`]
    .filter(Boolean)
    .join('');
}

/** Some of the texts, each once and in their order. */
function checkChoices(value: string, texts: readonly string[]): string {
  const choices = texts.map((text) => `(${toPattern(text + CHOICE_SEPARATOR)})?`).join('');
  return `${value} != '' && (${value} + '${CHOICE_SEPARATOR}').matches(${re2(choices)})`;
}

function checkChoice(value: string, texts: readonly string[]): string {
  return `${value}.matches(${toAlternatives(texts)})`;
}
