import { describe, expect, it } from 'vitest';
import styles from '../../dist/styles.css?raw';
import lagoon from '../../dist/themes/lagoon.css?raw';

/** Uses the browser's parser, which drops rules that it does not support. */
function parseRules(text: string): CSSRule[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const within = (rules: CSSRuleList): CSSRule[] =>
    [...rules].flatMap((rule) => [
      rule,
      ...('cssRules' in rule && rule.cssRules instanceof CSSRuleList ? within(rule.cssRules) : []),
    ]);
  return within(sheet.cssRules);
}

const parseStyles = (text: string) => parseRules(text).filter((rule) => rule instanceof CSSStyleRule);

/** Returns the part of each selector in a list that determines the styled elements. */
function findSubjects(selectorText: string): string[] {
  const plain = selectorText
    // Matches everything; it only adds specificity.
    .replaceAll(/:not\((a ?)+\)/g, '')
    // Selectors by element name or type are always combined with a class.
    .replaceAll(/:where\((?:button|\[type)[^()]*(?:\([^()]*\))?\)/g, '');
  return plain.split(/,(?![^(]*\))/).map(
    (selector) =>
      selector
        .trim()
        .split(/[ >+~](?![^(]*\))/)
        .at(-1) ?? '',
  );
}

describe.each([
  ['styles.css', styles],
  ['themes/lagoon.css', lagoon],
])('%s', (_, text) => {
  it('only styles the kit’s own elements', () => {
    const subjects = parseStyles(text).flatMap(({ selectorText }) => findSubjects(selectorText));
    expect(subjects.length).toBeGreaterThan(0);
    const own = /^(:where\()?(\.eak-|\[class\^="eak-"\]|\[data-eak-theme=)/;
    expect(subjects.filter((subject) => !own.test(subject))).toEqual([]);
  });

  it('prefixes its custom properties, animations and layers', () => {
    const names = [...text.matchAll(/(?<![\w-])(--[\w-]+)|@(?:keyframes|layer) ([\w-]+)/g)].map(
      ([, one, other]) => one ?? other,
    );
    expect(names.filter((name) => !/^(--eak-|--_eak-|eak-|early-access-kit$)/.test(name ?? ''))).toEqual([]);
  });

  it('uses no left and right', () => {
    const sides =
      /(?:^|[\s;{])((?:[\w-]+-)?(?:left|right|top|bottom|width|height)|float|clear)\s*:|:\s*(?:left|right)\s*;/gm;
    const allowed = /^(border-width|line-height)$/;
    const said = [...text.replaceAll(/\/\*.*?\*\/|@media[^{]*/gs, '').matchAll(sides)].map(
      ([all, name]) => name ?? all,
    );
    expect(said.filter((name) => !allowed.test(name) && !name.startsWith('--'))).toEqual([]);
    expect(text).not.toMatch(/(?:margin|padding|inset|border-radius): *(?:\S+ +){3}\S+;/);
  });
});

it('the theme only sets public properties', () => {
  const defaults = new Set([...styles.matchAll(/var\((--eak-[\w-]+)/g)].map(([, name]) => name));
  const set = parseStyles(lagoon).flatMap(({ style }) => [...style]);
  expect(set.length).toBeGreaterThan(10);
  expect(set.filter((name) => !defaults.has(name))).toEqual([]);
});

it('everything except the guard is in the layer', () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  const outside = [...sheet.cssRules].filter((rule) => !(rule instanceof CSSLayerBlockRule));
  expect(outside.map((rule) => rule.cssText).every((text) => text.includes('revert-layer'))).toBe(true);
  expect(outside).toHaveLength(2);
});
