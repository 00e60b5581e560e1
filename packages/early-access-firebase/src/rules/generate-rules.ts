import {
  consentTexts,
  DEFAULT_FIELD_LENGTH,
  type FieldDeclaration,
  type FieldDeclarations,
  optionValues,
  WEB_ADDRESS,
} from 'early-access-kit/core';
import { CONTROL_CHARACTERS, quoted, re2, SPACES, toAlternatives } from './re2.ts';

export interface RulesOptions {
  /** The site's own fields, checked by `checkDeclarations`. Default: none. */
  readonly fields?: FieldDeclarations | undefined;
  /** Whether signups must go through the function that checks for humans, so that browsers may not write them. Default: false. */
  readonly humanCheck?: boolean | undefined;
}

/**
 * Returns the rules of a site with fields or a human check. `template` is `firestore.rules`, the rules of a site that has neither. A
 * signup's `fields` are accepted exactly if core's `parseFields` accepts them and would change nothing.
 */
export function generateRules(template: string, { fields = {}, humanCheck = false }: RulesOptions): string {
  let rules = template;
  if (Object.keys(fields).length > 0) rules = replaceFunction(rules, 'areOwnFields', fieldFunctions(fields));
  if (humanCheck) rules = replaceFunction(rules, 'signupsAreDirect', CLOSED);
  return rules;
}

const CLOSED = `    function signupsAreDirect() {
      return false;
    }
`;

/** Replaces a function with everything up to the end of its last line. */
function replaceFunction(rules: string, name: string, replacement: string): string {
  const definition = new RegExp(`^ {4}function ${name}\\(.*\\n( {5}.*\\n)* {4}\\}\\n`, 'm');
  if (!definition.test(rules)) throw new Error(`the rules have no function ${name} to replace`);
  return rules.replace(definition, () => replacement);
}

/**
 * Lengths are compared in UTF-16 code units, as core does. A request may evaluate 1,000 expressions, which must be enough for the most
 * fields: patterns stand for lists of texts, and nothing asks for a type whose values alone have the methods.
 */
function fieldFunctions(fields: FieldDeclarations): string {
  const ownText = re2(`[^${SPACES}${CONTROL_CHARACTERS}]([^${CONTROL_CHARACTERS}]*[^${SPACES}${CONTROL_CHARACTERS}])?`);
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
`;
}

/** Names are quoted everywhere, because they may be words of the rules language. A missing value that is required is an error, which denies. */
function checkField(name: string, field: FieldDeclaration): string {
  const value = `values[${quoted(name)}]`;
  const check = checkValue(value, field);
  return field.required ? check : `(!(${quoted(name)} in values) || ${check})`;
}

function checkValue(value: string, field: FieldDeclaration): string {
  switch (field.type) {
    case 'text':
      return `isOwnText(${value}, ${field.maxLength ?? DEFAULT_FIELD_LENGTH})`;
    case 'url':
      return `isWebAddress(${value}, ${field.maxLength ?? DEFAULT_FIELD_LENGTH})`;
    case 'select':
      return checkChoice(value, optionValues(field));
    case 'checkbox':
      return field.consent ? checkChoice(value, consentTexts(field)) : `${value} == true`;
  }
}

function checkChoice(value: string, texts: readonly string[]): string {
  return `${value}.matches(${toAlternatives(texts)})`;
}
