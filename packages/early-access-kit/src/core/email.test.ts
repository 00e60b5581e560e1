import { readFileSync } from 'node:fs';
import path from 'node:path';
import { anyText } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { isValidEmail, normalizeEmail } from './email.ts';

/** Addresses with any text as the domain, because only domains are converted. */
const internationalAddress = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
  .map(([name, domain]) => `ada@${name}.${domain}`);

/** Typed or pasted texts with the address that is stored, or `refused`. */
const TYPED = readFileSync(path.join(import.meta.dirname, 'addresses.fixture.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

it.each(TYPED)('%s gives %s', (typed = '', result) => {
  const email: string = JSON.parse(typed);
  expect(isValidEmail(email) ? normalizeEmail(email) : 'refused').toBe(result);
});

describe('isValidEmail', () => {
  it.each(['ada@example.org', ' Ada@Example.org ', "o'brien+prints@sub.example.co", 'münch@bücher.example', 'a@b.c'])(
    'accepts %s',
    (email) => expect(isValidEmail(email)).toBe(true),
  );

  it.each([
    ['', 'nothing'],
    ['ada', 'no at sign'],
    ['ada@example', 'no dot'],
    ['@example.org', 'nothing before the at sign'],
    ['ada@.', 'nothing around the dot'],
    ['ada lovelace@example.org', 'a space'],
    ['a<v@x.io>', 'an address inside an address'],
    ['a＜v@x.io', 'a full-width bracket, which folds to a bracket'],
    ['"a"@x.io', 'a quoted local part'],
    ['v@x.io,w@y.io', 'two addresses'],
    ['a@v@x.io', 'two at signs'],
    ['a@example@x.io', 'two at signs with more between them'],
    ['a@@x.io', 'two at signs at once'],
    ['ada@example.org now', 'text after the address'],
    ['v@x.io\r\nBcc:w@y.io', 'a second header'],
    ['v@x\u00ad.io', 'a soft hyphen, which domain names drop'],
    ['v\u200b@x.io', 'a zero-width space'],
    [`${'x'.repeat(250)}@y.io`, 'more than 254 characters'],
    [`${' '.repeat(1_000)}v@x.io`, 'more than 1,000 characters before it is trimmed'],
    ['v@\u0300\u0301.io', 'a domain that has no ASCII form'],
    ['v@bücher.example/path', 'a path'],
    ['v@bücher.example:80', 'a port'],
    ['v@x..io', 'an empty label'],
    ['v@-x.io', 'a label that begins with a hyphen'],
    ['v@x-.io', 'a label that ends with a hyphen'],
    ['v@x_y.io', 'a character that no domain has'],
    ['v@192.0.2.1', 'an address of a machine'],
    ['v@x.2nd', 'a last label that begins with a digit'],
    [`v@${'x'.repeat(64)}.io`, 'a label of 64 characters'],
    ['v\u3164@x.io', 'a letter that is invisible'],
  ])('rejects %j: %s', (email) => expect(isValidEmail(email)).toBe(false));

  it('accepts 1,000 characters before they are trimmed', () => {
    expect(isValidEmail('v@x.io'.padStart(1_000))).toBe(true);
  });

  it('accepts 254 characters', () => expect(isValidEmail(`${'x'.repeat(249)}@y.io`)).toBe(true));

  it('gives the same result for every spelling of an address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' }), internationalAddress), (email) => {
        expect(isValidEmail(email)).toBe(isValidEmail(normalizeEmail(email)));
        expect(isValidEmail(`  ${email.toUpperCase().toLowerCase()} `)).toBe(
          isValidEmail(email.toUpperCase().toLowerCase()),
        );
      }),
    );
  });

  it('never accepts separators or invisible characters', () => {
    const risky = fc.constantFrom(...'<>()[],;:"\\ \t\r\n\0\u007f\u2028\u200f\ufeff');
    fc.assert(
      fc.property(fc.string(), risky, fc.string(), (before, character, after) => {
        expect(isValidEmail(`a${before}${character}${after}b@x.io`)).toBe(false);
      }),
    );
  });
});

describe('normalizeEmail', () => {
  it('folds case, surrounding spaces and compatibility characters', () => {
    expect(normalizeEmail(' Ada@ＥXAMPLE.org\n')).toBe('ada@example.org');
  });

  it.each([
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example.', 'ada@xn--bcher-kva.example'],
    ['ada@XN--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@例え。テスト。', 'ada@xn--r8jz45g.xn--zckzah'],
    ['bob@example.org.', 'bob@example.org'],
    [' \u200b„Bob@example.org“ ', 'bob@example.org'],
    ['«bob@example.org».', 'bob@example.org'],
    ["o'brien@example.org", "o'brien@example.org"],
    ['bob@1.2', 'bob@1.2'],
    ['bob@0x7f.1', 'bob@0x7f.1'],
  ])('normalizes %s to %s', (email, expected) => expect(normalizeEmail(email)).toBe(expected));

  it('does not process input longer than any address', () => {
    expect(normalizeEmail('a'.repeat(1_001))).toBe('');
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), anyText(), internationalAddress), (email) => {
        const once = normalizeEmail(email);
        expect(normalizeEmail(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
