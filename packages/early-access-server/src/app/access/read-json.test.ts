import { anyText } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { MAX_JSON_DEPTH, readJson } from './read-json.ts';

/** A value inside this many lists and objects. */
const nest = (value: unknown, kinds: readonly boolean[]) =>
  kinds.reduce<unknown>((inner, isList) => (isList ? [inner] : { '[{"\\': inner }), value);

it('reads every JSON value that is not nested too deeply, with any texts, and no other', () => {
  const kinds = fc.array(fc.boolean(), { maxLength: 2 * MAX_JSON_DEPTH });
  const scalar = fc.oneof(anyText(), fc.stringMatching(/^[[\]{}"\\]*$/), fc.integer(), fc.constant(null));
  fc.assert(
    fc.property(scalar, kinds, (value, kinds) => {
      const nested = nest(value, kinds);
      expect(readJson(JSON.stringify(nested))).toEqual(kinds.length > MAX_JSON_DEPTH ? undefined : nested);
    }),
  );
});

it('refuses what is no JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', ' ') }), (text) => {
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {}
      expect(readJson(text)).toEqual(parsed);
    }),
  );
});
