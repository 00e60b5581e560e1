import { DatabaseSync } from 'node:sqlite';
import { fc } from '@early-access-kit/testkit/fast-check';
import { DAY_MS } from 'early-access-kit/internal';
import { expect, it, onTestFinished } from 'vitest';
import { PERSON_STATES } from '../../../app/lifecycle/states.ts';
import { MAIL_STATES, type MailState } from '../../../app/mail/message-state.ts';
import { matchesSearch, matchesSegment } from '../../../app/people/match-segment.ts';
import { EVERYONE } from '../../../app/people/people.ts';
import { readSegment, type Segment, SIGNUP_TEXTS, type TextTest } from '../../../app/people/segment.ts';
import type { ImportedPerson } from '../../../app/ports/list-store.ts';
import { emptyDatabase } from '../../../fixtures/temp-store.ts';
import { sqliteStore } from '../sqlite-store.ts';

const NOW = Date.UTC(2026, 2, 1);
const IMPORTS = ['7f0f1e4e-6a52-4b7e-9a3c-0e3a5f9f8d01', '7f0f1e4e-6a52-4b7e-9a3c-0e3a5f9f8d02'] as const;
const CAMPAIGNS = ['1', '2'] as const;
/** Names and values that languages and databases treat in their own ways. */
const NAMES = ['role', 'constructor', 'to_string'];
const VALUES = ['true', '1', 'null', '"A" \\ %s 漢字', 'é', 'ÉCOLE', 'Straße n'];
/** Parts of them in several spellings, and of their JSON. */
const PARTS = ['a', '"', '\\', '\\ %', 'É', 'école', 'STRASSE', 'straße', 'ull', 'n', 'FAIR', "UN'C", '漢'];

const source = fc.constantFrom('fair', 'Fair');
const campaign = fc.constantFrom('launch', "laun'ch");
const language = fc.constantFrom('de', 'pt');
const fields = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES, true as const), { maxKeys: 3 });
/** Around the ends of days in several time zones, too. */
const signupTime = fc.oneof(
  fc.integer({ min: NOW - 4 * DAY_MS, max: NOW }),
  fc
    .tuple(fc.integer({ min: -8, max: 0 }), fc.integer({ min: -1, max: 1 }))
    .map(([half, ms]) => NOW + (half * DAY_MS) / 2 + ms),
);
const invitedAt = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -1, max: 1 }))
  .map(([days, ms]) => NOW - days * DAY_MS + ms);
const day = fc.integer({ min: -4, max: 1 }).map((days) => new Date(NOW + days * DAY_MS).toISOString().slice(0, 10));

const person = fc.record(
  {
    state: fc.constantFrom(...PERSON_STATES),
    source,
    created_at: signupTime,
    utm_campaign: campaign,
    language,
    fields,
    invited_at: invitedAt,
    file: fc.constantFrom(...IMPORTS),
    messages: fc.dictionary(fc.constantFrom(...CAMPAIGNS), fc.constantFrom(...MAIL_STATES)),
  },
  { requiredKeys: ['state', 'source', 'created_at', 'messages'] },
);
function textCondition(tests: readonly TextTest[], minLength: number) {
  const of = fc.constantFrom(...SIGNUP_TEXTS, ...NAMES.map((name) => `fields.${name}` as const));
  const value = fc.constantFrom('fair', 'launch', 'pt', ...IMPORTS, ...VALUES, ...PARTS);
  return fc.record({ of, test: fc.constantFrom(...tests), values: fc.uniqueArray(value, { minLength, maxLength: 3 }) });
}

const CONDITIONS = {
  states: fc.subarray([...PERSON_STATES], { minLength: 1 }),
  source,
  campaign,
  import: fc.constantFrom(...IMPORTS),
  language,
  from: day,
  to: day,
  zone: fc.constantFrom('UTC', 'Asia/Tokyo', 'America/St_Johns'),
  fields,
  invited_days_ago: fc.integer({ min: 0, max: 4 }),
  texts: fc.array(fc.oneof(textCondition(['any', 'none'], 0), textCondition(['part'], 1)), { maxLength: 2 }),
  with_campaign: fc.constantFrom(...CAMPAIGNS, 'none'),
  without_campaign: fc.constantFrom(...CAMPAIGNS, 'none'),
};
/** A few conditions each, because hardly anybody meets many. */
const conditions = fc
  .subarray(Object.keys(CONDITIONS), { maxLength: 4 })
  .chain((kept) => fc.record(CONDITIONS).map((all) => readSegment(pick(all, kept))));

function pick(all: Segment, kept: readonly string[]): Segment {
  return Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)));
}

it('SQL selects the people whom matchesSegment does', async () => {
  let selected = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 30 }),
      fc.array(conditions, { minLength: 1, maxLength: 30 }),
      async (people, segments) => {
        const { store, setMessage } = openStore();
        const numbered = people.map(({ file, messages, ...imported }, index) => {
          const added: ImportedPerson = { email: `p${index}@x.io`, ...imported };
          return { file, messages, added };
        });
        for (const file of [undefined, ...IMPORTS]) {
          const added = numbered.flatMap((one) => (one.file === file ? one.added : []));
          await store.list.importPeople(added, { welcome: false, ...(file && { import: { id: file, name: '' } }) });
        }
        for (const { added, messages } of numbered) {
          for (const [id, state] of Object.entries(messages)) setMessage(added.email, id, state);
        }
        const everyone = await Array.fromAsync(store.people.all(EVERYONE));
        expect(everyone).toHaveLength(people.length);
        for (const conditions of segments) {
          const segment = { conditions, at: NOW };
          const found = await Array.fromAsync(store.people.all({ ...EVERYONE, segment }));
          const expected = everyone.filter((one) => {
            const { messages = {} } = people[Number(one.email.slice(1, -'@x.io'.length))] ?? {};
            return matchesSegment({ ...one, campaigns: new Map(Object.entries(messages)) }, segment);
          });
          expect([conditions, found]).toEqual([conditions, expected]);
          selected += expected.length;
        }
        store.close();
      },
    ),
    { numRuns: 50 },
  );
  expect(selected).toBeGreaterThan(100);
});

it('SQL finds the people whom matchesSearch does', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 20 }),
      fc.array(fc.constantFrom(...PARTS, ...VALUES, 'role', 'p1', '@x', ''), { minLength: 1, maxLength: 5 }),
      async (people, searches) => {
        const { store } = openStore();
        const added = people.map(({ file: _, messages: __, ...imported }, at) => ({
          email: `p${at}@x.io`,
          ...imported,
        }));
        await store.list.importPeople(added, { welcome: false });
        const everyone = await Array.fromAsync(store.people.all(EVERYONE));
        for (const search of searches.map((text) => text.toLowerCase())) {
          const expected = everyone.filter((one) => matchesSearch(one, search));
          const all = await Array.fromAsync(store.people.all({ ...EVERYONE, search }));
          expect([search, all]).toEqual([search, expected]);
          found += expected.length;
        }
        store.close();
      },
    ),
    { numRuns: 50 },
  );
  expect(found).toBeGreaterThan(100);
});

function openStore() {
  const file = emptyDatabase();
  const store = sqliteStore({ file, clock: () => NOW });
  const raw = new DatabaseSync(file);
  onTestFinished(() => raw.close());
  const insert = raw.prepare(`
    INSERT INTO mails (signup_id, kind, campaign_id, message_key, state, next_attempt_at, changed_at)
    SELECT id, 'campaign', ?, 'key', ?, 0, 0 FROM email_signups WHERE email = ?
  `);
  return { store, setMessage: (email: string, id: string, state: MailState) => insert.run(id, state, email) };
}
