import { DAY_MS, type FieldDeclarations, HOUR_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { copyList } from '../app/import/copy-list.ts';
import { readImportFile, runImport } from '../app/import/run-import.ts';
import { CONFIRMATIONS, PENDING_MS, PERSON_STATES, type PersonState, STATE_TIMES } from '../app/lifecycle/states.ts';
import { MAIL_STATES, type MessageOutcome } from '../app/mail/message-state.ts';
import { readConsents } from '../app/people/consent.ts';
import { EVERYONE, type ExportedPerson } from '../app/people/people.ts';
import { fieldColumns, streamSignupsCsv } from '../app/people/signups-csv.ts';
import type { ImportedPerson } from '../app/ports/list-store.ts';
import type { ClaimedMessage, Store } from '../app/ports/store.ts';
import { exampleSignup, numbers } from './examples.ts';
import { claim, deliver, deliverAll, linkHash, NOW, readStates, type SetUp, unsubscribeHash } from './harness.ts';

const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company' },
  beta: { type: 'checkbox', label: 'Join the beta' },
  terms: { type: 'checkbox', label: 'I agree to "München, News; and more".', consent: true },
};

/** Tests that everything in an export is preserved when it is imported elsewhere. */
export function roundTripContract(setUp: SetUp, histories: number): void {
  it.each(Array.from({ length: histories }, (_, index) => index + 1))(
    'an export of people in every state is the same after an import into an empty list (%i)',
    async (seed) => {
      const { store, clock } = await setUp({ confirm: seed % 2 === 0, mailsPerHour: 100_000 });
      await fill(store, clock, numbers(seed));
      const exported = await exportCsv(store);
      expect(new Set(Object.values(await readStates(store)))).toEqual(new Set(PERSON_STATES));
      const other = await setUp({ mailsPerHour: 100_000 });
      other.clock.now = clock.now;
      await importCsv(other.store, exported, clock.now);
      expect(await exportCsv(other.store)).toEqual(exported);
      expect(await claim(other.store)).toBeNull();
    },
  );

  it('a copy in another store is the same, sends nothing, and continues after an interruption', async () => {
    const { store, clock } = await setUp({ mailsPerHour: 100_000 });
    await fill(store, clock, numbers(1));
    await store.segments.add('Opted in', { states: ['subscribed'], language: 'fr' });
    // Read before opening the other store, because some stores share one database within a test.
    const people = await Array.fromAsync(store.people.all(EVERYONE));
    const [segments, exported] = [await store.segments.list(), await exportCsv(store)];
    const source = { people: { all: () => streamed(people) }, segments: { list: () => segments } };
    const other = await setUp({ mailsPerHour: 100_000 });
    other.clock.now = clock.now;
    // The command was killed after its first transaction.
    for await (const _ of copyList(source, other.store, 5)) break;
    const copies = await Array.fromAsync(copyList(source, other.store, 5));
    expect(copies.at(-1)).toEqual({ people: people.length, added: people.length - 5, different: 0 });
    expect(await exportCsv(other.store)).toEqual(exported);
    expect(await other.store.segments.list()).toEqual(segments.map(({ id, ...rest }) => expect.objectContaining(rest)));
    expect(await claim(other.store)).toBeNull();
    // Changes made in the other store in the meantime remain.
    const email = people.find(({ state }) => state === 'subscribed')?.email ?? '';
    await other.store.list.changePerson(email, 'unsubscribe', 'admin');
    const again = await Array.fromAsync(copyList(source, other.store));
    expect(again.at(-1)).toEqual({ people: people.length, added: 0, different: 1 });
  });

  it('stores when each state began', async () => {
    const { store, clock } = await setUp({ confirm: true });
    const email = 'me@example.org';
    const history = async () => {
      const [person] = (await store.people.list({ ...EVERYONE, sort: 'newest', limit: 1, after: null })).people;
      return STATE_TIMES.map((column) => person?.[column] ?? null).map((time) => time && time - NOW);
    };
    const next = async (outcome?: MessageOutcome) => {
      const message = await deliver(store, outcome);
      clock.now += 1;
      return message;
    };
    await store.createSignup(exampleSignup({ email }));
    await store.list.confirm(linkHash(await next()), null);
    expect(await history()).toEqual([1, null, null, null, null]);
    const who = { count: 1, filter: EVERYONE };
    const wave = await store.list.invite({ after: null, who });
    const { id } = typeof wave === 'object' ? wave : { id: '' };
    expect(await history()).toEqual([1, null, null, 1, null]);
    await store.list.withdraw(id);
    expect(await history()).toEqual([1, null, null, null, null]);
    await store.list.invite({ after: id, who });
    const invite = await next();
    await store.list.redeemInvite(linkHash(invite));
    expect(await history()).toEqual([1, null, null, 1, 2]);
    clock.now += 1;
    await store.list.unsubscribe(unsubscribeHash(invite));
    expect(await history()).toEqual([1, 3, null, 1, 2]);
    await store.createSignup(exampleSignup({ email }));
    expect(await history()).toEqual([1, 3, null, 1, 2]);
    await next({ state: 'failed', reason: '550', refusal: 'no-mailbox' });
    expect(await history()).toEqual([1, 3, 3, 1, 2]);
    await store.mails.resend(email);
    expect(await history()).toEqual([1, 3, null, 1, 2]);
  });

  it('an import keeps the opt-out of people who have not confirmed their new signup', async () => {
    const { store, clock } = await setUp();
    const [created_at, unsubscribed_at] = [NOW - DAY_MS, NOW - 2 * DAY_MS];
    const person = { email: 'me@example.org', source: 'file', created_at, state: 'pending', unsubscribed_at } as const;
    await store.list.importPeople([person], { welcome: false });
    clock.now += PENDING_MS;
    await store.list.tidyPending(10);
    expect(await readStates(store)).toEqual({ [person.email]: 'unsubscribed' });
  });

  it('an opt-out of an import unsubscribes people on the list, unless they confirmed after it', async () => {
    const { store } = await setUp();
    const add = (people: readonly Partial<ImportedPerson>[]) =>
      store.list.importPeople(
        people.map((person, index) => ({
          ...{ email: `p${index}@x.io`, source: 'file', created_at: NOW - 3 * DAY_MS, state: 'subscribed', ...person },
        })),
        { welcome: true },
      );
    const confirmed_at = NOW - 2 * DAY_MS;
    const invited = { state: 'invited', confirmed_at } as const;
    await add([{}, invited, invited, invited, { state: 'unsubscribed' }]);
    const optOut = { state: 'unsubscribed' } as const;
    const [before, after] = [confirmed_at - 1, confirmed_at + 1].map((unsubscribed_at) => ({
      ...optOut,
      unsubscribed_at,
    }));
    const file = [{ ...optOut, unsubscribed_at: 1 }, before ?? {}, after ?? {}, optOut, optOut];
    const results = ['unsubscribed', 'duplicate', 'unsubscribed', 'unsubscribed', 'duplicate'];
    expect(await add(file)).toEqual(results);
    expect(await add(file)).toEqual(Array(5).fill('duplicate'));
    expect(Object.values(await readStates(store)).toSorted()).toEqual(['invited', ...Array(4).fill('unsubscribed')]);
    expect(await claim(store)).toBeNull();
  });

  it('an import sends nobody an email again, and only the first email to others', async () => {
    const { store } = await setUp({ confirm: true });
    const people = [null, ...MAIL_STATES].flatMap((mail_state) =>
      (['subscribed', 'pending'] as const).map((state) => ({
        email: `${state}-${mail_state}@x-${state}-${mail_state}.io`,
        source: 'file',
        created_at: NOW - DAY_MS,
        state,
        mail_state,
      })),
    );
    await store.list.importPeople(people, { welcome: true });
    const sent = (await deliverAll(store)).map(({ kind, email }) => `${kind} ${email.split('@')[0]}`);
    expect(sent.toSorted()).toEqual([
      'confirmation pending-null',
      'confirmation pending-queued',
      'welcome subscribed-null',
      'welcome subscribed-queued',
    ]);
  });
}

/** Adds people from a file with random histories, and people who sign up and change states. */
async function fill(store: Store, clock: { now: number }, random: (end: number) => number): Promise<void> {
  const people = PERSON_STATES.flatMap((state) => Array.from({ length: 4 }, () => createPerson(state, random)));
  await store.list.importPeople(people, { welcome: false });
  const opened: ClaimedMessage[] = [];
  let newest: string | null = null;
  for (let step = 0; step < 80; step += 1) {
    clock.now += random(HOUR_MS);
    const message = opened[random(opened.length)];
    const action = random(7);
    if (message === undefined || action < 2) {
      const fields = { company: pickText(random) ?? 'x', beta: true, terms: FIELDS.terms?.label ?? '' } as const;
      const page = { page_url: 'https://x.io/münchen', ...(random(2) === 0 && { fields }) };
      const signup = exampleSignup({ email: `p${random(20)}@x${random(20)}.io`, ...page });
      await store.createSignup(signup, { language: step % 2 === 0 ? 'fr' : null });
    } else if (action === 2) {
      const wave = await store.list.invite({ after: newest, who: { count: 1, filter: EVERYONE } });
      if (typeof wave === 'object') newest = wave.id;
    } else if (action < 5) await store.list.confirm(linkHash(message), null);
    else if (action === 5) await store.list.redeemInvite(linkHash(message));
    else if (random(3) === 0) await store.list.unsubscribe(unsubscribeHash(message));
    opened.push(...(await deliverAny(store, random)));
  }
  clock.now += 2 * DAY_MS;
  await deliverAny(store, random);
}

async function deliverAny(store: Store, random: (end: number) => number): Promise<readonly ClaimedMessage[]> {
  const delivered: ClaimedMessage[] = [];
  for (let message = await claim(store); message !== null; message = await claim(store)) {
    const reason = '550 no such user';
    const outcomes = [{ state: 'unknown', reason } as const, { state: 'failed', reason, bounced: true } as const];
    await store.mails.recordOutcome(message, outcomes[random(12)] ?? { state: 'sent' });
    delivered.push(message);
  }
  return delivered;
}

/** A person with a possible history: an opt-out is followed by a confirmation or by a new pending signup. */
function createPerson(state: PersonState, random: (end: number) => number): ImportedPerson {
  const time = () => (random(2) === 0 ? null : NOW - DAY_MS - random(100 * DAY_MS));
  const bounced_from = state === 'bounced' ? (PERSON_STATES[random(4)] ?? null) : null;
  const isPending = state === 'pending' || bounced_from === 'pending';
  const confirmed_at = isPending ? null : time();
  const created_at = NOW - random(200 * DAY_MS);
  const since = isPending ? created_at : confirmed_at;
  const optOut = since === null || random(2) === 0 ? null : since - 1 - random(DAY_MS);
  return {
    email: `imported-${random(2 ** 30)}@x${random(2 ** 30)}.io`,
    source: pickText(random) ?? 'file',
    created_at,
    state,
    session_id: random(2) === 0 ? null : `session-${random(2 ** 30)}`,
    referrer: pickText(random),
    ...(random(2) === 0 && { page_url: 'https://x.io/?q=a,b;c', utm_campaign: 'Frühling; "50 %"' }),
    confirmed_at,
    confirmed_by: confirmed_at === null ? null : (CONFIRMATIONS[random(4)] ?? null),
    unsubscribed_at: state === 'unsubscribed' ? NOW - random(DAY_MS) : optOut,
    bounced_at: state === 'bounced' ? time() : null,
    bounced_from,
    invited_at: time(),
    joined_at: time(),
    consent_text: random(4) === 0 ? 'Two\nlines' : pickText(random),
    consent_page: pickText(random),
    language: [null, 'de', 'pt'][created_at % 3] ?? null,
    mail_state: ([null, 'sent', 'failed', 'unknown'] as const)[random(4)] ?? null,
    ...(random(2) === 0 && { fields: { company: 'Müller & "Söhne"', old: "it's", ticked: true } }),
  };
}

const TEXTS = ['München, Straße', '"quoted"', "it's; so", '漢字 😀', '=1+1', '-x', "'y"];

function pickText(random: (end: number) => number): string | null {
  return TEXTS[random(TEXTS.length + 2)] ?? null;
}

async function exportCsv({ people }: Store): Promise<string> {
  const rows = readConsents(withoutImport(people.all(EVERYONE)), FIELDS);
  return new Response(streamSignupsCsv(rows, await fieldColumns(FIELDS, people))).text();
}

async function* streamed<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** Imported people belong to that import rather than to the imports of the exported list. */
async function* withoutImport(people: AsyncIterable<ExportedPerson>): AsyncGenerator<ExportedPerson> {
  for await (const person of people) yield { ...person, import_id: null };
}

async function importCsv(store: Store, csv: string, now: number): Promise<void> {
  const options = { now, declarations: FIELDS, choices: [], dateOrder: null };
  const file = await readImportFile(new Blob([csv]).stream(), options);
  expect([file.problem, file.others]).toEqual([null, []]);
  for await (const _ of runImport(file, { store: store.list, welcome: false }));
}
