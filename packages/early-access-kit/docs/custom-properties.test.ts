import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseCustomProperties } from './custom-properties.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const theme = readFileSync(path.join(SOURCE, 'theme.css'), 'utf8');

it('reads name, comment and default, in source order', () => {
  const css = `/* A file. */
    :where(.eak-signup) {
      /* The button to press,
         and nothing else. */
      --_eak-accent: var(--eak-accent, color-mix(in oklab, #2f5fe8 84%, CanvasText));
      /* The ring. */
      --_eak-focus: var(
        --eak-focus,
        var(--_eak-accent)
      );
      color: var(--_eak-text);
    }`;
  expect(parseCustomProperties(css)).toEqual([
    {
      name: '--eak-accent',
      meaning: 'The button to press, and nothing else.',
      fallback: 'color-mix(in oklab, #2f5fe8 84%, CanvasText)',
      copy: '--_eak-accent',
      isColor: true,
    },
    {
      name: '--eak-focus',
      meaning: 'The ring.',
      fallback: 'var(--eak-accent)',
      copy: '--_eak-focus',
      isColor: true,
    },
  ]);
});

it('finds every public property that the stylesheets read, each with a comment', () => {
  const read = globSync('**/*.css', { cwd: SOURCE }).flatMap((file) => [
    ...readFileSync(path.join(SOURCE, file), 'utf8').matchAll(/var\(\s*(--eak-[\w-]+)/g),
  ]);
  const documented = parseCustomProperties(theme).map(({ name }) => name);
  expect(documented.length).toBeGreaterThan(10);
  expect(new Set(read.map(([, name]) => name))).toEqual(new Set(documented));
  for (const { name, meaning, fallback } of parseCustomProperties(theme)) {
    expect(meaning, name).toMatch(/^[A-Z].*\.$/);
    expect(fallback, name).not.toBe('');
  }
});

it('finds each property once', () => {
  const names = parseCustomProperties(theme).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
