import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValidEmail, normalizeEmail } from './email.ts';

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
    ['v@x.io\r\nBcc:w@y.io', 'a second header'],
    ['v@x\u00ad.io', 'a soft hyphen, which domain names drop'],
    ['v\u200b@x.io', 'a zero-width space'],
    [`${'x'.repeat(250)}@y.io`, 'more than 254 characters'],
  ])('refuses %j: %s', (email) => expect(isValidEmail(email)).toBe(false));

  it('accepts 254 characters', () => expect(isValidEmail(`${'x'.repeat(249)}@y.io`)).toBe(true));

  it('judges every spelling of an address alike', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' })), (email) => {
        expect(isValidEmail(email)).toBe(isValidEmail(normalizeEmail(email)));
        expect(isValidEmail(`  ${email.toUpperCase().toLowerCase()} `)).toBe(
          isValidEmail(email.toUpperCase().toLowerCase()),
        );
      }),
    );
  });

  it('never accepts what holds a separator or something invisible', () => {
    const risky = fc.constantFrom(...'<>()[],;:"\\ \t\r\n\0\u007f\u2028\u200f\ufeff');
    fc.assert(
      fc.property(fc.string(), risky, fc.string(), (before, character, after) => {
        expect(isValidEmail(`a${before}${character}${after}b@x.io`)).toBe(false);
      }),
    );
  });

  it('is quick on hostile input', () => {
    const started = performance.now();
    for (const piece of ['@.', '@', '.', 'a@a.', ' ']) isValidEmail(piece.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('normalizeEmail', () => {
  it('folds case, outer space and compatibility characters', () => {
    expect(normalizeEmail(' Ada@ＥXAMPLE.org\n')).toBe('ada@example.org');
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), (email) => {
        const once = normalizeEmail(email);
        expect(normalizeEmail(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });
});
