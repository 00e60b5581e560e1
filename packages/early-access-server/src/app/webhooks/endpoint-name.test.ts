import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { nameEndpoint, renameEndpoint } from './endpoint-name.ts';

const url = fc.constantFrom('https://hooks.example.com/1', 'https://crm.example:8443/x', 'https://other.example/');
const name = fc.string({ unit: 'grapheme', maxLength: 20 });

it('is what the admin gave, or the host', () => {
  fc.assert(
    fc.property(name, url, (given, at) => {
      const expected = given.trim() === '' ? new URL(at).host : given.trim();
      expect(nameEndpoint(given, at)).toBe(expected);
    }),
  );
});

it('stays when the URL changes, unless it was the host', () => {
  fc.assert(
    fc.property(name, url, url, (given, before, after) => {
      const named = { name: nameEndpoint(given, before), url: before };
      const isHost = named.name === new URL(before).host;
      expect(renameEndpoint(named, { url: after })).toBe(isHost ? new URL(after).host : named.name);
      expect(renameEndpoint(named, {})).toBe(named.name);
      expect(renameEndpoint(named, { name: '', url: after })).toBe(new URL(after).host);
    }),
  );
});
