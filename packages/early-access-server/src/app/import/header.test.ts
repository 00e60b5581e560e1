import { expect, it } from 'vitest';
import { findHeader } from './header.ts';

const find = (...lines: readonly string[]) => {
  const { names, skipped, lastLine } = findHeader(
    lines.map((line, index) => ({ line: index + 1, cells: line.split(',') })),
  );
  return { names: names?.join() ?? null, skipped, lastLine };
};

it.each<[string, readonly string[], string | null, number]>([
  ['the first line', ['Email,Name', 'a@x.io,Ada'], 'Email,Name', 1],
  ['no line', ['a@x.io,Ada', 'b@x.io,Bob'], null, 0],
  ['the longest line', ['Export', 'Name,Kontakt', 'Ada,a@x.io'], 'Name,Kontakt', 2],
  ['the first of several', ['Name,Kontakt', 'Bob,nobody', 'Ada,a@x.io'], 'Name,Kontakt', 1],
  ['the line with most known names', ['Of,a,long,list', 'Email,Unsubscribed', 'a@x.io,no'], 'Email,Unsubscribed', 2],
  ['a line without people', ['Note', 'Email,Name', ''], 'Email,Name', 2],
  ['the line after a note with an address', ['By,boss@x.io', 'Email,Status', 'a@x.io,inactive'], 'Email,Status', 2],
])('the names are in %s', (_, lines, names, lastLine) => {
  expect(find(...lines)).toMatchObject({ names, lastLine });
});

it('the lines before it are named, without empty cells and shortened', () => {
  expect(find(`,Table 1,,${'x'.repeat(300)}`, 'Email,Name', 'a@x.io,Ada').skipped).toEqual([
    `Table 1, ${'x'.repeat(191)}`,
  ]);
});
