import { describe, expect, it } from 'vitest';
import { randomId } from '../core/random-id.ts';
import { ATTRIBUTION_FIELDS, type EmailSignup } from '../core/records.ts';
import { getFailureCode, type WithFixture } from './contract.ts';
import { EXAMPLE_ATTRIBUTION, exampleSignup } from './examples.ts';

export function signupContract(withFixture: WithFixture): void {
  describe('createSignup', () => {
    it(
      'stores every field',
      withFixture(async ({ adapter, contents, clock }) => {
        const signup = exampleSignup();
        expect(await adapter.createSignup(signup)).toBe('created');
        const { signups } = await contents();
        expect(signups).toEqual([{ ...signup, created_at: expect.any(Number) }]);
        expect(Math.abs((signups[0]?.created_at ?? 0) - clock.now)).toBeLessThan(60_000);
      }),
    );

    it(
      'stores null if there is no session and no referrer',
      withFixture(async ({ adapter, contents }) => {
        await adapter.createSignup(exampleSignup({ session_id: null, referrer: null }));
        expect((await contents()).signups).toEqual([expect.objectContaining({ session_id: null, referrer: null })]);
      }),
    );

    it(
      'stores the attribution as it was sent',
      withFixture(async ({ adapter, contents }) => {
        const signup = exampleSignup(EXAMPLE_ATTRIBUTION);
        expect(await adapter.createSignup(signup)).toBe('created');
        expect((await contents()).signups).toEqual([{ ...signup, created_at: expect.any(Number) }]);
      }),
    );

    it(
      'stores attribution values of the maximum length',
      withFixture(async ({ adapter, contents }) => {
        const utm = 'x'.repeat(256);
        const longest = {
          page_url: `https://x.io/${'x'.repeat(2_035)}`,
          utm_source: utm,
          utm_term: utm,
          utm_content: utm,
        };
        expect(await adapter.createSignup(exampleSignup(longest))).toBe('created');
        expect((await contents()).signups).toMatchObject([longest]);
      }),
    );

    it.each(ATTRIBUTION_FIELDS)('omits %s if it is unknown', (field) =>
      withFixture(async ({ adapter, contents }) => {
        const { [field]: _, ...known } = EXAMPLE_ATTRIBUTION;
        const [some, none] = [exampleSignup(known), exampleSignup()];
        for (const signup of [some, none]) expect(await adapter.createSignup(signup)).toBe('created');
        const { signups } = await contents();
        const readSignup = ({ email }: EmailSignup) =>
          Object.keys(signups.find((stored) => stored.email === email) ?? {}).sort();
        expect(readSignup(some)).toEqual([...Object.keys(some), 'created_at'].sort());
        expect(readSignup(none)).toEqual([...Object.keys(none), 'created_at'].sort());
      })(),
    );

    it(
      'returns duplicate for another submission of the address and does not change the record',
      withFixture(async ({ adapter, contents }) => {
        const first = exampleSignup();
        await adapter.createSignup(first);
        const before = (await contents()).signups;
        const second = exampleSignup({
          ...EXAMPLE_ATTRIBUTION,
          email: first.email,
          source: 'elsewhere',
          session_id: null,
        });
        expect(await adapter.createSignup(second)).toBe('duplicate');
        expect((await contents()).signups).toEqual(before);
      }),
    );

    it(
      'returns created for the same submission again and stores one record',
      withFixture(async ({ adapter, contents }) => {
        const signup = exampleSignup();
        await adapter.createSignup(signup);
        const before = (await contents()).signups;
        expect(await adapter.createSignup(signup)).toBe('created');
        expect(await adapter.createSignup({ ...signup, referrer: null })).toBe('created');
        expect(await adapter.createSignup({ ...signup, ...EXAMPLE_ATTRIBUTION })).toBe('created');
        expect((await contents()).signups).toEqual(before);
      }),
    );

    it(
      'treats every spelling of an address as the same address',
      withFixture(async ({ adapter, contents }) => {
        expect(await adapter.createSignup(exampleSignup({ email: ' Ada@Example.ORG ' }))).toBe('created');
        expect(await adapter.createSignup(exampleSignup({ email: 'ada@example.org' }))).toBe('duplicate');
        expect(await adapter.createSignup(exampleSignup({ email: 'ADA@ｅxample.org' }))).toBe('duplicate');
        expect((await contents()).signups.map(({ email }) => email)).toEqual(['ada@example.org']);
      }),
    );

    it(
      'creates one record when 50 submissions of an address race',
      withFixture(async ({ adapter, contents }) => {
        const racers = Array.from({ length: 50 }, () => exampleSignup({ email: 'race@example.org' }));
        const results = await Promise.all(racers.map((signup) => adapter.createSignup(signup)));
        expect(results.filter((result) => result === 'duplicate')).toHaveLength(49);
        const winner = racers[results.indexOf('created')];
        expect((await contents()).signups).toEqual([{ ...winner, created_at: expect.any(Number) }]);
      }),
    );

    it(
      'creates one record when a submission races with itself',
      withFixture(async ({ adapter, contents }) => {
        const signup = exampleSignup();
        const results = await Promise.all(Array.from({ length: 20 }, () => adapter.createSignup(signup)));
        expect(results).toEqual(results.map(() => 'created'));
        expect((await contents()).signups).toHaveLength(1);
      }),
    );

    it(
      'stores all of many simultaneous signups',
      withFixture(async ({ adapter, contents }) => {
        const signups = Array.from({ length: 40 }, () => exampleSignup());
        const results = await Promise.all(signups.map((signup) => adapter.createSignup(signup)));
        expect(new Set(results)).toEqual(new Set(['created']));
        expect((await contents()).signups.map(({ email }) => email).sort()).toEqual(
          signups.map(({ email }) => email).sort(),
        );
      }),
    );

    it(
      'stores unusual but valid addresses',
      withFixture(async ({ adapter, contents }) => {
        const addresses = ["o'brien+prints@sub.example.co", 'münch@example.org', 'a@b.c', `${'x'.repeat(249)}@y.io`];
        for (const email of addresses) expect(await adapter.createSignup(exampleSignup({ email }))).toBe('created');
        expect((await contents()).signups.map(({ email }) => email).sort()).toEqual([...addresses].sort());
      }),
    );

    it.each([
      ['no address', { email: '' }],
      ['no at sign', { email: 'ada.example.org' }],
      ['no dot', { email: 'ada@example' }],
      ['a space inside', { email: 'ada lovelace@example.org' }],
      ['more than 254 characters', { email: `${'x'.repeat(250)}@y.io` }],
      ['an address inside an address', { email: 'a<v@x.io>' }],
      ['two addresses', { email: 'v@x.io,w@y.io' }],
      ['two at signs', { email: 'a@v@x.io' }],
      ['a line break', { email: 'v@x.io\r\nBcc:w@y.io' }],
      ['a zero-width space', { email: 'v\u200b@x.io' }],
      ['a lone surrogate', { email: 'v\ud800@x.io' }],
      ['a malformed session id', { session_id: 'a b' }],
      ['a malformed submission id', { submission_id: '' }],
      ['a source that is too long', { source: 'x'.repeat(65) }],
      ['a referrer that is too long', { referrer: `https://x.io/${'x'.repeat(2_048)}` }],
      ['a control character', { referrer: 'https://x.io/\u0007' }],
      ['a lone surrogate in a text', { referrer: 'https://x.io/\ud83d' }],
      ['a page that is too long', { page_url: `https://x.io/${'x'.repeat(2_036)}` }],
      ['a campaign that is too long', { utm_campaign: 'x'.repeat(257) }],
      ['a control character in a campaign', { utm_term: 'a\u007f' }],
      ['a lone surrogate in a campaign', { utm_content: 'a\ud83d' }],
    ])('rejects %s and stores nothing', (_, fields) =>
      withFixture(async ({ adapter, contents }) => {
        expect(await getFailureCode(adapter.createSignup(exampleSignup(fields)))).toBe('invalid');
        expect((await contents()).signups).toEqual([]);
      })(),
    );
  });
}

export function lostAnswerContract(withFixture: WithFixture): void {
  describe('createSignup', () => {
    it(
      'returns the true result when a response is lost',
      withFixture(async ({ adapter, contents, loseAnswer }) => {
        const signup = exampleSignup();
        await loseAnswer();
        expect(await adapter.createSignup(signup)).toBe('created');
        await loseAnswer();
        expect(await adapter.createSignup({ ...signup, submission_id: randomId() })).toBe('duplicate');
        expect((await contents()).signups).toEqual([{ ...signup, created_at: expect.any(Number) }]);
      }),
    );
  });
}
