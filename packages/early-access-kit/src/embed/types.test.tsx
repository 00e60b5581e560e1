/** @jsxImportSource preact */
// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type HTMLAttributes, render } from 'preact';
import { expect, it } from 'vitest';
import '../embed.ts';
import type { EarlyAccessElements } from './types.ts';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends EarlyAccessElements<HTMLAttributes<HTMLElement>> {}
  }
}

interface Declaration {
  readonly tagName: string;
  readonly attributes: readonly { readonly name: string; readonly description: string }[];
  readonly events?: readonly { readonly name: string }[];
}

it('types the elements in JSX of Preact, without the types of React', () => {
  const page = document.createElement('div');
  render(
    <>
      <early-access-form class="hero" source="footer" human-check="turnstile" suggest no-bot-guard />
      <early-access-tracker end-session="idle" allow-bots={false} />
      {/* @ts-expect-error the attribute is a text */}
      <early-access-admin dashboard-url={7} />
    </>,
    page,
  );
  expect(page.querySelector('early-access-form')?.getAttribute('source')).toBe('footer');
});

it('names every attribute of each element in custom-elements.json, with its description', () => {
  const file = path.join(import.meta.dirname, '../../dist/custom-elements.json');
  const { modules }: { modules: { declarations: Declaration[] }[] } = JSON.parse(readFileSync(file, 'utf8'));
  const declarations = modules.flatMap((module) => module.declarations);
  expect(declarations.map(({ tagName }) => tagName)).toEqual([
    'early-access-form',
    'early-access-tracker',
    'early-access-admin',
    'early-access-share',
  ]);
  for (const { tagName, attributes } of declarations) {
    const observed: unknown = Reflect.get(customElements.get(tagName) ?? {}, 'observedAttributes');
    // Another script defines the share link, which has no attributes.
    const expected = tagName === 'early-access-share' ? [] : Array.isArray(observed) && observed.toSorted();
    expect(attributes.map(({ name }) => name).toSorted()).toEqual(expected);
    for (const { description } of attributes) expect(description).not.toBe('');
  }
  expect(declarations[0]?.events?.map(({ name }) => name)).toContain('early-access:success');
});
