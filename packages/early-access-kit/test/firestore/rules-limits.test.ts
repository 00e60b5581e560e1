import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { isValidEmail, normalizeEmail } from '../../src/core/email.ts';
import { MAX_FIRESTORE_VIEWS, MAX_LENGTH, MAX_TOTAL } from '../../src/core/limits.ts';
import { INITIAL_TOTALS } from '../../src/core/metrics.ts';
import { randomId } from '../../src/core/random-id.ts';
import { BROWSERS, CAMPAIGN_FIELDS, DEVICE_TYPES, OPERATING_SYSTEMS } from '../../src/core/records.ts';
import { parseSessionStart, parseSessionUpdate, parseSignup } from '../../src/core/validation.ts';
import {
  EXAMPLE_ATTRIBUTION,
  EXAMPLE_LANDING,
  exampleSession,
  exampleSignup,
  exampleUpdate,
} from '../../src/testing/examples.ts';
import { RULES } from './backend.ts';
import { sessionFields, signupFields, signupWrite, visitorFields } from './records.ts';
import { documentName, type Fields, set } from './rest.ts';
import { ALLOWED, rulesFixture } from './rules.fixture.ts';

/** The rules and `core` must have the same limits: otherwise data that only one of them accepts is lost. */

const { commit, refuses } = rulesFixture();
const NOW = Date.now();

const session = (fields: Fields) => set(documentName('sessions', randomId()), { ...sessionFields(NOW), ...fields });

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

describe('lengths', () => {
  const text = (length: number) => 'x'.repeat(length);
  const signupLimits: [string, number, (length: number) => string][] = [
    ['email', MAX_LENGTH.email, (length) => `${text(length - 5)}@y.io`],
    ['session_id', MAX_LENGTH.id, text],
    ['source', MAX_LENGTH.source, text],
    ['referrer', MAX_LENGTH.referrer, text],
    ['submission_id', MAX_LENGTH.id, text],
    ['page_url', MAX_LENGTH.page_url, text],
    ...CAMPAIGN_FIELDS.map((field): [string, number, typeof text] => [field, MAX_LENGTH.utm, text]),
  ];
  it.each(signupLimits)('of a signup’s %s: %i, but not one more', async (field, limit, make) => {
    for (const [length, valid] of [[limit, true] as const, [limit + 1, false] as const]) {
      const fields = { [field]: make(length) };
      expect(accepts(() => parseSignup(exampleSignup(fields)))).toBe(valid);
      const write = signupWrite(signupFields(fields));
      if (valid) expect(await commit(write)).toBe(ALLOWED);
      else await refuses(write);
    }
  });

  const sessionLimits: [string, number][] = [
    ['visitor_id', MAX_LENGTH.id],
    ['referrer', MAX_LENGTH.referrer],
    ['user_agent', MAX_LENGTH.user_agent],
    ['landing_path', MAX_LENGTH.landing_path],
    ...CAMPAIGN_FIELDS.map((field): [string, number] => [field, MAX_LENGTH.utm]),
  ];
  it.each(sessionLimits)('of a session’s %s: %i, but not one more', async (field, limit) => {
    for (const [length, valid] of [[limit, true] as const, [limit + 1, false] as const]) {
      const fields = { [field]: text(length) };
      expect(accepts(() => parseSessionStart(exampleSession(NOW, fields)))).toBe(valid);
      if (valid) expect(await commit(session(fields))).toBe(ALLOWED);
      else await refuses(session(fields));
    }
  });

  it.each(Array.from({ length: MAX_FIRESTORE_VIEWS - 1 }, (_, index) => String(index + 2)))(
    'of the path of view %s: as of every path, and not one more',
    async (number) => {
      const limit = MAX_LENGTH.page_path;
      for (const [length, valid] of [[limit, true] as const, [limit + 1, false] as const]) {
        const page_path = text(length);
        expect(accepts(() => parseSessionUpdate({ ...exampleUpdate(exampleSession(NOW)), page_path }))).toBe(valid);
        const write = session({ page_views: { [number]: page_path } });
        if (valid) expect(await commit(write)).toBe(ALLOWED);
        else await refuses(write);
      }
    },
  );

  it.each([8, 64])('of an id: %i, but not one more', async (length) => {
    const beyond = length === 8 ? 7 : 65;
    expect(await commit(set(documentName('sessions', text(length)), sessionFields(NOW)))).toBe(ALLOWED);
    await refuses(set(documentName('sessions', text(beyond)), sessionFields(NOW)));
    expect(accepts(() => parseSessionStart(exampleSession(NOW, { id: text(beyond) })))).toBe(false);
  });
});

describe('ids', () => {
  /** Firestore reserves ids that match `__.*__`, and rejects every request that contains one. */
  it.each([
    ['________', false],
    [`__${'x'.repeat(60)}__`, false],
    ['_______x', true],
    ['x_______', true],
    ['_x____x_', true],
  ])('%s: whether it is allowed is %s everywhere', async (id, valid) => {
    for (const field of ['session_id', 'submission_id']) {
      const fields = { [field]: id };
      expect([field, accepts(() => parseSignup(exampleSignup(fields)))]).toEqual([field, valid]);
      const write = signupWrite(signupFields(fields));
      if (valid) expect(await commit(write)).toBe(ALLOWED);
      else await refuses(write);
    }
    for (const field of ['id', 'visitor_id']) {
      expect([field, accepts(() => parseSessionStart(exampleSession(NOW, { [field]: id })))]).toEqual([field, valid]);
    }
    if (valid) expect(await commit(session({ visitor_id: id }))).toBe(ALLOWED);
    else await refuses(session({ visitor_id: id }));
    // Google's backend rejects the name before the rules do, with a different status.
    expect((await commit(set(documentName('sessions', id), sessionFields(NOW)))) === ALLOWED).toBe(valid);
    expect((await commit(set(documentName('visitors', id), visitorFields(NOW)))) === ALLOWED).toBe(valid);
  });
});

describe('totals', () => {
  const { total_duration: _, ...counts } = MAX_TOTAL;
  it.each(Object.entries(counts))('of %s: %i, but not one more', async (field, limit) => {
    for (const [value, valid] of [[limit, true] as const, [limit + 1, false] as const]) {
      const fields = { [field]: value };
      expect(accepts(() => parseSessionUpdate({ ...exampleUpdate(exampleSession(NOW)), ...fields }))).toBe(valid);
      const write = session({ ...fields, is_bounce: field !== 'page_count' });
      if (valid) expect(await commit(write)).toBe(ALLOWED);
      else await refuses(write);
    }
  });
});

it('durations of a forged year, or large enough to overflow a product, are denied', async () => {
  for (const total_duration of [31_536_000, Number.MAX_SAFE_INTEGER]) await refuses(session({ total_duration }));
  const { update } = session({});
  for (const integerValue of ['9223372036854775807', '9223372036854775', '-1']) {
    await refuses({ update: { ...update, fields: { ...update.fields, total_duration: { integerValue } } } });
  }
});

describe('fields', () => {
  /**
   * The lists of allowed keys in the rules, in the order of the file: signup, session, its views, session update,
   * visitor.
   */
  const lists = [...RULES.matchAll(/hasOnly\(\[([^\]]*)\]\)/g)].map(([, list = '']) =>
    [...list.matchAll(/'(\w+)'/g)].map(([, key]) => key),
  );
  const { id: _, ...start } = exampleSession(NOW, EXAMPLE_LANDING);
  const views = Array.from({ length: MAX_FIRESTORE_VIEWS - 1 }, (_, index) => String(index + 2));

  it.each([
    ['a signup', 0, [...Object.keys(exampleSignup({ ...EXAMPLE_ATTRIBUTION, fields: {} })), 'created_at']],
    ['a session', 1, [...Object.keys(start), ...Object.keys(INITIAL_TOTALS), 'is_bounce', 'expires_at', 'page_views']],
    ['the views of a session', 2, views],
    ['an update of a session', 3, [...Object.keys(INITIAL_TOTALS), 'is_bounce', 'page_views']],
    ['a visitor', 4, ['last_seen', 'expires_at']],
  ])('of %s equal the limits of core', (_, index, fields) => {
    expect(lists).toHaveLength(5);
    expect([...(lists[index] ?? [])].sort()).toEqual([...fields].sort());
  });
});

describe('names', () => {
  const sets: [string, readonly string[]][] = [
    ['device_type', DEVICE_TYPES],
    ['browser', BROWSERS],
    ['os', OPERATING_SYSTEMS],
  ];
  it.each(sets)('of %s are the same', async (field, names) => {
    for (const name of names) expect(await commit(session({ [field]: name }))).toBe(ALLOWED);
    // The rules contain no other list for the field.
    const [, list = ''] = new RegExp(`data\\.${field} in \\[([^\\]]*)\\]`).exec(RULES) ?? [];
    expect(list.split(', ').map((quoted) => quoted.slice(1, -1))).toEqual([...names]);
  });
});

describe('addresses', () => {
  const odd = [...'ab.@ -+\'"\\<>()[],;:\t\n\u0000\u007f\u00a0\u00ad\u200b\u2028\u3000\ufeffüß日😀'];
  // Most addresses with unusual characters are invalid, so half of them have none.
  const localPart = fc.oneof(
    fc.array(fc.constantFrom(...odd, 'example'), { maxLength: 8 }),
    fc.array(fc.constantFrom(...'ab-+', 'example'), { minLength: 1, maxLength: 8 }),
  );

  it('are accepted by the rules exactly if core accepts them, once normalized', async () => {
    const seen = { valid: 0, invalid: 0 };
    let domain = 0;
    await fc.assert(
      fc.asyncProperty(localPart, async (pieces) => {
        domain += 1;
        const email = normalizeEmail(`${pieces.join('')}@x${domain}.io`);
        const valid = isValidEmail(email);
        seen[valid ? 'valid' : 'invalid'] += 1;
        expect((await commit(signupWrite(signupFields({ email })))) === ALLOWED).toBe(valid);
      }),
      { numRuns: 400 },
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(20);
  });

  it('with any domain are accepted by the rules only in normal form, and only if core accepts them', async () => {
    const seen = { valid: 0, invalid: 0 };
    let number = 0;
    const domain = fc.oneof(
      fc.array(fc.constantFrom(...odd, '.', '。', 'ü', 'xn--', 'Ａ'), { maxLength: 6 }),
      fc.array(fc.constantFrom('a', 'b', '-', '.', 'ü', 'é', '。', 'A', 'xn--bcher-kva'), {
        minLength: 1,
        maxLength: 6,
      }),
    );
    await fc.assert(
      fc.asyncProperty(domain, fc.constantFrom('', '.', '..', '.io'), async (pieces, end) => {
        number += 1;
        const email = `ada${number}@x.${pieces.join('')}${end}`;
        const valid = isValidEmail(email);
        seen[valid ? 'valid' : 'invalid'] += 1;
        const accepted = async (address: string) =>
          (await commit(signupWrite(signupFields({ email: address })))) === ALLOWED;
        if (email !== normalizeEmail(email)) expect(await accepted(email)).toBe(false);
        expect(await accepted(normalizeEmail(email))).toBe(valid);
      }),
      { numRuns: 600 },
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(20);
  });
});
