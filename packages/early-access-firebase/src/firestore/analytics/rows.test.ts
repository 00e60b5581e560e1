import { randomBytes } from 'node:crypto';
import { fc } from '@early-access-kit/testkit/fast-check';
import { sessionOf } from '@early-access-kit/testkit/records';
import { toSessionSource } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { pack, type Row, unpack, visitorKey } from './rows.ts';

const row = fc.record({
  at: fc.integer({ min: 1, max: 2 ** 41 }),
  visitor: fc.oneof(fc.constant(null), fc.string(), fc.nat(2 ** 32 - 1)),
  previous: fc.option(fc.nat(2 ** 41)),
  trafficSource: fc
    .record({
      browser: fc.constantFrom('Firefox' as const, 'Chrome' as const),
      landing_path: fc.webPath(),
      utm_source: fc.constantFrom('news', 'blog'),
      utm_medium: fc.constantFrom('email', 'social'),
      utm_campaign: fc.string(),
    })
    .map((fields) => toSessionSource(sessionOf(fields))),
  views: fc.array(fc.oneof(fc.constant('/prices'), fc.webPath())),
  duration: fc.nat(),
  bounce: fc.boolean(),
  engaged: fc.boolean(),
  joined: fc.boolean(),
});

const EXAMPLE: Row = {
  at: 0,
  visitor: null,
  previous: null,
  trafficSource: toSessionSource(sessionOf()),
  views: [],
  duration: 0,
  bounce: false,
  engaged: false,
  joined: false,
};

it('unpacked rows equal the packed ones', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(pack(rows).flatMap(({ bytes }) => unpack(bytes))).toEqual(rows);
    }),
  );
});

it('too many rows for one document are split in order', () => {
  // Random text does not compress.
  const rows = Array.from(
    { length: 2_000 },
    (_, at): Row => ({ ...EXAMPLE, at, visitor: randomBytes(500).toString('hex') }),
  );
  const parts = pack(rows);
  expect(parts.map(({ rows: packed }) => packed.length)).toEqual([1_000, 1_000]);
  for (const { bytes, rows: packed } of parts) {
    expect(bytes.length).toBeLessThan(800_000);
    expect(unpack(bytes)).toEqual(packed);
  }
  expect(parts.flatMap(({ rows: packed }) => packed)).toEqual(rows);
});

it('a row that is too long for a document is packed by itself', () => {
  const long = { ...EXAMPLE, visitor: randomBytes(1_000_000).toString('hex') };
  expect(pack([long, long]).map(({ rows }) => rows)).toEqual([[long], [long]]);
});

it('the tracker’s ids become numbers, all others do not', () => {
  expect(['0000abcd', 'ffffffff'].map(visitorKey)).toEqual([0xabcd, 0xffffffff]);
  for (const id of ['0000ABCD', '000abcd', '00000abcd', '0000abcg', '']) expect(visitorKey(id)).toBe(id);
});
