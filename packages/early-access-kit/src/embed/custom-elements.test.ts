// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { SCRIPTS } from './script-registry.ts';

const PACKAGE = path.join(import.meta.dirname, '../..');

interface Declaration {
  readonly tagName: string;
  readonly attributes: readonly { readonly name: string; readonly description: string }[];
  readonly members: readonly {
    readonly name: string;
    readonly attribute: string;
    readonly type: { readonly text: string };
  }[];
  readonly events?: readonly { readonly name: string }[];
}

const { modules }: { modules: { path: string; declarations: Declaration[] }[] } = JSON.parse(
  readFileSync(path.join(PACKAGE, 'dist/custom-elements.json'), 'utf8'),
);
const declarations = modules.flatMap((module) => module.declarations);
const listTagNames = (list: readonly Declaration[]) => list.map(({ tagName }) => tagName);

/** The elements that each module of the file has defined. */
const defined: string[][] = [];

beforeAll(async () => {
  // The additional scripts use embed.js's registry and their own script tag.
  Object.assign(window, { [SCRIPTS]: { adapter: memoryAdapter(), parts: {} } });
  document.head.innerHTML = '<script type="text/plain" src="https://early.example/embed-count.js"></script>';
  const missing = new Set(listTagNames(declarations));
  for (const module of modules) {
    await import(path.join(PACKAGE, module.path));
    const names = [...missing].filter((name) => customElements.get(name));
    for (const name of names) missing.delete(name);
    defined.push(names);
  }
});

it('names the module that defines each element', () => {
  expect(modules.map((module) => listTagNames(module.declarations))).toEqual(defined);
  expect(listTagNames(declarations)).toEqual([
    'early-access-form',
    'early-access-tracker',
    'early-access-admin',
    'early-access-share',
    'early-access-count',
  ]);
});

it('names every attribute of each element, with its description', () => {
  const { pluralCategories } = new Intl.PluralRules('ar').resolvedOptions();
  const expected: Readonly<Record<string, readonly string[]>> = {
    // These two observe no attributes.
    'early-access-share': [],
    'early-access-count': pluralCategories.map((rule) => (rule === 'other' ? 'text' : `text-${rule}`)),
  };
  for (const { tagName, attributes } of declarations) {
    const observed: unknown = Reflect.get(customElements.get(tagName) ?? {}, 'observedAttributes');
    const more = tagName === 'early-access-form' ? ['success-url'] : [];
    const names = expected[tagName] ?? [...(Array.isArray(observed) ? observed : []), ...more];
    expect(attributes.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { description } of attributes) expect(description).not.toBe('');
  }
  const outcomes = ['success', 'duplicate', 'error'];
  expect(declarations[0]?.events?.map(({ name }) => name)).toEqual(
    ['-', ':'].flatMap((separator) => outcomes.map((outcome) => `early-access${separator}${outcome}`)),
  );
});

it('treats every boolean attribute as off if a framework wrote the value `false`', () => {
  const flags = declarations.flatMap(({ tagName, members }) =>
    members.filter(({ type }) => type.text === 'boolean').map((member) => ({ tagName, ...member })),
  );
  expect(flags.map(({ attribute }) => attribute)).toContain('ignore-gpc');
  for (const { tagName, name, attribute } of flags) {
    const element = document.createElement(tagName);
    element.setAttribute(attribute, 'false');
    expect([attribute, Reflect.get(element, name)]).toEqual([attribute, false]);
    element.setAttribute(attribute, '');
    expect([attribute, Reflect.get(element, name)]).toEqual([attribute, true]);
  }
});
