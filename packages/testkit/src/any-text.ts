import { fc } from './fast-check.ts';

/**
 * Any character; half of them are ASCII. fast-check's own units and URLs build a table of a million characters first,
 * which takes a second in each test file.
 */
const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.integer({ min: 0x80, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** Text without lone surrogates. */
export function anyText(length: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...length });
}

const urlPart = fc.string({
  unit: fc.oneof(fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:@"), anyCharacter.map(encodeURIComponent)),
});

/** A path, possibly empty. */
export const urlPath = fc.array(urlPart).map((parts) => parts.map((part) => `/${part}`).join(''));

/** The part of a URL after `?` or `#`. */
export const urlRest = fc.array(urlPart).map((parts) => parts.join('/?'));

/** The URL of a page: with a host name, and optionally with a query and a fragment. */
export const webUrl = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), urlPath, fc.option(urlRest), fc.option(urlRest))
  .map(([scheme, host, path, query, fragment]) => {
    const [search, hash] = [query === null ? '' : `?${query}`, fragment === null ? '' : `#${fragment}`];
    return `${scheme}://${host}${path}${search}${hash}`;
  });
