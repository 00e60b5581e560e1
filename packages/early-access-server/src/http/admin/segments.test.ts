import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { MAX_SEGMENT_FIELDS, MAX_SEGMENTS, type Segment } from '../../app/people/segment.ts';
import { readJson, signedIn } from '../../fixtures/admin-harness.ts';
import type { SegmentsResponse } from '../routing/schemas/segments.ts';

const FIELDS = { role: { type: 'text', label: 'Role' } } as const;
const DRAFT = { subject: 'Hello', body: 'World', revision: 'a', replaces: [] };

async function segmenting(options?: Parameters<typeof signedIn>[0]) {
  const harness = await signedIn({ fields: FIELDS, ...options });
  const list = () => readJson<SegmentsResponse>(harness.get('/segments'));
  const add = (name: unknown, conditions: unknown) => harness.post('/segments', { name, conditions });
  const audience = (conditions: unknown) => ({ states: ['subscribed', 'invited', 'joined'], source: null, conditions });
  return { ...harness, list, add, audience };
}

describe('segments', () => {
  it('are saved, renamed and deleted, each with an entry in the audit log', async () => {
    const { add, post, list, store } = await segmenting();
    const conditions: Segment = { states: ['invited'], fields: { role: true }, invited_days_ago: 14 };
    const added = await add('  Late ', conditions);
    const saved = JSON.parse(await added.text());
    expect([added.status, saved]).toEqual([200, { id: expect.any(String), name: 'Late', conditions }]);
    expect(await list()).toEqual({ segments: [saved] });
    const statuses = [
      await add('Late', { language: 'de' }),
      await post(`/segments/${saved.id}`, { name: 'Too late' }),
      await post(`/segments/${saved.id}/remove`),
      await post(`/segments/${saved.id}/remove`),
      await post(`/segments/${saved.id}`, { name: 'Gone' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([409, 204, 204, 404, 404]);
    expect((await list()).segments).toEqual([]);
    expect((await store.admin.audit(9)).map(({ action }) => action)).toEqual([
      'remove-segment',
      'rename-segment',
      'add-segment',
      'sign-in',
    ]);
  });

  it('refuse conditions that are not valid, and say why', async () => {
    const { add, list } = await segmenting();
    const wrong: [unknown, string][] = [
      [{}, 'conditions must have at least one condition'],
      [[], 'conditions must be an object'],
      [{ language: 'de', languag: 'de' }, 'conditions has an unknown condition'],
      [{ states: [] }, 'conditions.states must list some of'],
      [{ states: ['invited', 'invited'] }, 'conditions.states must list some of'],
      [{ states: ['lost'] }, 'conditions.states must list some of'],
      [{ source: '' }, 'conditions.source must not be empty'],
      [{ campaign: 'a\u0000b' }, 'conditions.campaign must be text'],
      [{ language: 'de-AT' }, 'conditions.language must be a language such as en or pt'],
      [{ from: '2026-02-30' }, 'conditions.from must be a day'],
      [{ from: '1000-01-01' }, 'after 1970'],
      [{ to: '2026-02-01', zone: 'Mars/Olympus' }, 'zone must be the name of a time zone'],
      [{ fields: { 'no name': 'x' } }, 'conditions.fields'],
      [{ fields: { role: 7 } }, 'conditions.fields.role'],
      [JSON.parse('{ "language": "de", "fields": { "__proto__": "x" } }'), '__proto__'],
      [{ fields: { role: 'x'.repeat(1_001) } }, 'conditions.fields.role'],
      [
        { fields: Object.fromEntries(Array.from({ length: MAX_SEGMENT_FIELDS + 1 }, (_, n) => [`f${n}`, 'x'])) },
        'at most 20',
      ],
      [{ invited_days_ago: 1.5 }, 'conditions.invited_days_ago must be a whole number'],
      [{ with_campaign: '' }, 'conditions.with_campaign must be the id of a campaign'],
    ];
    for (const [conditions, problem] of wrong) {
      const response = await add('Segment', conditions);
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(problem)]);
    }
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(81), 7]) {
      const response = await add(name, { language: 'de' });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('name must be one line')]);
    }
    expect((await list()).segments).toEqual([]);
  });

  it('are bounded in number', async () => {
    const { add, store } = await segmenting();
    for (let number = 0; number < MAX_SEGMENTS; number += 1) await store.segments.add(`Segment ${number}`, {});
    const response = await add('One more', { language: 'de' });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('already 100 segments')]);
  });

  it('filter the list, its count, its CSV, invitations and restored people', async () => {
    const { post, store } = await segmenting({
      invites: { url: new URL('https://app.example/join'), key: 'k'.repeat(32) },
    });
    for (const [name, role] of [
      ['ada', 'artist'],
      ['bob', 'shop'],
      ['cleo', 'artist'],
    ] as const) {
      await store.createSignup(signupOf({ email: `${name}@x.io`, fields: { role } }), {
        language: name === 'cleo' ? 'pt' : 'de',
      });
    }
    const filter = { segment: { fields: { role: 'artist' }, language: 'de' } };
    const page = JSON.parse(await (await post('/people/search', filter)).text());
    expect(page.people.map((person: { email: string }) => person.email)).toEqual(['ada@x.io']);
    expect(await (await post('/people/count', filter)).json()).toEqual({ count: 1, is_partial: false });
    const csv = await (await post('/people.csv', filter)).text();
    expect([csv.includes('ada@x.io'), csv.includes('bob@x.io'), csv.includes('cleo@x.io')]).toEqual([
      true,
      false,
      false,
    ]);
    const wave = await post('/invites', { after: null, count: 10, filter });
    expect(await wave.json()).toMatchObject({ people: 1 });
    await store.list.changePerson('cleo@x.io', 'bounce', 'admin');
    const restore = async (which: object) => (await post('/people/restore', { count: 9, filter: which })).json();
    expect(await restore(filter)).toEqual({ restored: 0 });
    expect(await restore({ segment: { language: 'pt' } })).toEqual({ restored: 1 });
  });

  it('of a filter are refused if they are not valid', async () => {
    const { post } = await segmenting();
    const long = `{"source":"${'x'.repeat(5_000)}"}`;
    const prototypes = ['{"fields":{"__proto__":"x"}}', '{"__proto__":{}}'];
    for (const segment of [
      '{',
      '[]',
      'null',
      '{"languag":"de"}',
      ...prototypes,
      long,
      '{"to":"2026-01-01","zone":"x"}',
    ]) {
      const response = await post('/people/search', `{"segment":${segment}}`);
      const refused = [segment, 400, expect.stringContaining('"code":"invalid"')];
      expect([segment, response.status, await response.text()]).toEqual(refused);
    }
  });
});

describe('the audience of a campaign', () => {
  it('never has people who are pending, unsubscribed or bounced', async () => {
    const { post, audience } = await segmenting();
    const problem =
      'conditions.states may only list subscribed, invited, joined: people in other states receive no campaigns';
    for (const state of ['pending', 'unsubscribed', 'bounced']) {
      const wanted = audience({ states: ['subscribed', state] });
      for (const response of [
        await post('/campaigns', { ...DRAFT, audience: wanted }),
        await post('/campaigns/audience', wanted),
      ]) {
        const refused = [state, 400, expect.stringContaining(problem)];
        expect([state, response.status, await response.text()]).toEqual(refused);
      }
    }
  });

  it('cannot be sent to if it depends on a campaign that is gone, and its preview is of someone in it', async () => {
    const { post, get, audience, store } = await segmenting();
    for (const [name, role] of [
      ['ada', 'artist'],
      ['bob', 'shop'],
    ] as const) {
      await store.createSignup(signupOf({ email: `${name}@x.io`, fields: { role } }));
    }
    const draft = async (conditions: Segment) =>
      JSON.parse(
        await (
          await post('/campaigns', { ...DRAFT, revision: crypto.randomUUID(), audience: audience(conditions) })
        ).text(),
      ).id;
    const removed = await draft({});
    await post(`/campaigns/${removed}/remove`);
    for (const conditions of [{ with_campaign: removed }, { without_campaign: removed }]) {
      const response = await post(`/campaigns/${await draft(conditions)}/state`, { to: 'sending' });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('the audience depends on a campaign that no longer exists; remove that condition'),
      ]);
    }
    const id = await draft({ fields: { role: 'artist' } });
    const { examples } = JSON.parse(await (await get(`/campaigns/${id}/check`)).text());
    expect(examples[0]).toMatchObject({ for: 'person', email: 'ada@x.io' });
    expect((await post(`/campaigns/${id}/state`, { to: 'sending' })).status).toBe(204);
  });
});
