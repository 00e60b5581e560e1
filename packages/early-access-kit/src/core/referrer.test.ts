import { expect, it } from 'vitest';
import { entryReferrer } from './referrer.ts';

it.each([
  ['', null],
  ['https://site.example', null],
  ['https://site.example/about', null],
  ['https://site.example.evil.net/', 'https://site.example.evil.net/'],
  ['https://news.example.net/a?b=c', 'https://news.example.net/a?b=c'],
])('the entry referrer of %j is %j', (referrer, expected) => {
  expect(entryReferrer(referrer, 'https://site.example')).toBe(expected);
});

it('is cut to what stores accept', () => {
  expect(entryReferrer(`https://x.io/${'a'.repeat(5_000)}`, 'https://site.example')).toHaveLength(2_048);
});
