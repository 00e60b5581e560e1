import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { EnvLineError, parseEnvText } from './env-text.ts';

/** Text in general, and text made of the marks of dotenv. */
const anyValue = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...'ab #"\'`\\$=\tn'), maxLength: 12 }),
  )
  .map((text) => text.replace(/[^\P{Cc}\t]/gu, ''));
const anyName = fc.stringMatching(/^[A-Za-z_]\w{0,12}$/);
const padding = fc.constantFrom('', ' ', '\t', '  ');
const comment = fc.constantFrom('', ' # a note', '\t## "x', ' #');
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** The ways in which authors and programs write a value down; undefined if they cannot write this one. */
const DIALECTS: readonly ((value: string) => string | undefined)[] = [
  // Without quotes, a # between spaces is a comment in every program.
  (value) => (value !== value.trim() || /^["'`]|(?:^|\s)#+(?:\s|$)/.test(value) ? undefined : value),
  (value) => (value.includes("'") ? undefined : `'${value}'`),
  (value) => (value.includes('`') ? undefined : `\`${value}\``),
  (value) => (/["\\]/.test(value) ? undefined : `"${value}"`),
  (value) => JSON.stringify(value),
];

describe('parseEnvText', () => {
  it('reads every value that is written down in any way as it is, or refuses its line', () => {
    const options = fc.record({
      name: anyName,
      value: anyValue,
      dialect: fc.nat(DIALECTS.length - 1),
      start: fc.constantFrom('', ' ', 'export ', '\ufeff'),
      before: padding,
      after: padding,
      comment,
      end: lineEnd,
    });
    let [tried, read] = [0, 0];
    fc.assert(
      fc.property(options, ({ name, value, dialect, start, before, after, comment, end }) => {
        const written = DIALECTS[dialect]?.(value);
        fc.pre(written !== undefined && name !== 'LAST');
        tried += 1;
        const text = `# Settings${end}${start}${name}${before}=${after}${written}${comment}${end}LAST=1`;
        try {
          expect(parseEnvText(text)).toEqual({ [name]: value, LAST: '1' });
          read += 1;
        } catch (error) {
          if (!(error instanceof EnvLineError)) throw error;
          expect(error.message).toMatch(new RegExp(`^line 2: ${name} `));
        }
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(tried / 5);
  });

  it('reads each value that single quotes can hold, and each without a mark of dotenv as it is', () => {
    fc.assert(
      fc.property(anyName, anyValue, (name, value) => {
        if (!value.includes("'")) expect(parseEnvText(`${name}='${value}' # note`)).toEqual({ [name]: value });
        const plain = value.replace(/[\s"'`#]/gu, '');
        expect(parseEnvText(`${name}=${plain} # note`)).toEqual({ [name]: plain });
      }),
    );
  });

  it('refuses or uses every other line, and never repeats its value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (line) => {
        const secret = `secret${line.replace(/[\r\n]/g, '')}`;
        for (const text of [secret, `NAME=${secret}`, `NAME="${secret}`]) {
          try {
            const settings = parseEnvText(text);
            expect(Object.values(settings).join()).toMatch(text.startsWith('NAME') ? 'secret' : /^/);
            expect(Object.keys(settings)).toHaveLength(1);
          } catch (error) {
            if (!(error instanceof EnvLineError)) throw error;
            expect(error.message).toMatch(/^line 1: /);
            if (text !== secret) expect(error.message).not.toContain('secret');
          }
        }
      }),
    );
  });

  it.each([
    ['A=#0a7d4f', '#0a7d4f'],
    ['A=#0a7d4f # our green', '#0a7d4f'],
    ['A=smtp://user:pass#word@mail.example.com', 'smtp://user:pass#word@mail.example.com'],
    ['A= # nothing', ''],
    ['A=', ''],
    ['A=""', ''],
    ['A=on # or off', 'on'],
    ['A="x # y" #z', 'x # y'],
    [String.raw`A="a\nb"`, 'a\nb'],
    [String.raw`A='C:\new'`, String.raw`C:\new`],
    [String.raw`A=C:\new`, String.raw`C:\new`],
    ["A=it's", "it's"],
    ['export A = 1', '1'],
    ['A=1\nA=1', '1'],
    ['A=\nA=1', '1'],
  ])('reads %j', (text, value) => {
    expect(parseEnvText(text)).toEqual({ A: value });
  });

  it.each([
    ['A=# nothing or all', /^line 1: A has a # that may begin a comment; /],
    ['A= #0a7d4f', /^line 1: A has a # that may begin a comment; /],
    ['A=Acme #1', /^line 1: A has a # that may begin a comment; /],
    ['\nA="Acme, Inc." <hi@acme.example>', /^line 2: A continues after its quotes; .*single quotes/],
    ['A="x', /^line 1: A has a quote that is not closed on the same line/],
    [String.raw`A="a\"b"`, /^line 1: A continues after its quotes/],
    [String.raw`A="C:\data"`, /^line 1: A has a backslash, .*single quotes/],
    ['A=1\nB=2\nA=2', /^line 3: A has another value above/],
    ['A=1\u0000', /^line 1: A contains a control character/],
    ['A: 1', /^line 1: must be NAME=value, or start with #$/],
    ['// A=1', /^line 1: must be NAME=value, or start with #$/],
    ['A.B=1', /^line 1: must be NAME=value, or start with #$/],
  ])('refuses %j', (text, message) => {
    expect(() => parseEnvText(text)).toThrow(message);
  });
});
