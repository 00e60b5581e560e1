import { DAY_MS, type EmailSignup, HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { PENDING_MS } from '../app/lifecycle/states.ts';
import { EVERYONE } from '../app/people/people.ts';
import type { InviteOrder } from '../app/ports/list-store.ts';
import type { Store } from '../app/ports/store.ts';
import { MAX_SHARED_PER_DOMAIN, MAX_SHARED_PER_HOUR, MAX_SHARED_PER_NETWORK } from '../app/share/share-link.ts';
import { exampleSignup, numbers } from './examples.ts';
import {
  claim,
  deliver,
  deliverAll,
  findId,
  linkHash,
  NOW,
  readStates,
  type SetUp,
  unsubscribeHash,
} from './harness.ts';

const [ADA, BOB, CARL, EVE] = ['ada@example.org', 'bob@example.org', 'carl@example.org', 'eve@example.org'];
const STEPS = 120;

export function shareContract(setUp: SetUp, histories: number): void {
  async function withPeople(...emails: readonly string[]) {
    const harness = await setUp({ confirm: true, mailsPerHour: 100_000 });
    const share = harness.store.share;
    for (const email of emails) {
      harness.clock.now += 1_000;
      await join(harness.store, { email });
    }
    return { ...harness, share, list: harness.store.list };
  }

  describe('a share link', () => {
    it('is opened by the signup that made it, and by no other', async () => {
      const { store } = await setUp({ confirm: true });
      const share = store.share;
      const signup = exampleSignup({ email: ADA, page_url: 'https://acme.example/de/' });
      await store.createSignup(signup);
      const link = await share.openLink(ADA, signup.submission_id);
      expect(link).toEqual({
        code: expect.stringMatching(/^[\w-]{10}$/),
        page: 'https://acme.example/de/',
        confirmed: 0,
        held: 0,
      });
      const both = await Promise.all([1, 2].map(() => share.openLink(ADA, signup.submission_id)));
      expect(both).toEqual([link, link]);
      const duplicate = exampleSignup({ email: ADA });
      expect(await store.createSignup(duplicate)).toBe('duplicate');
      expect(await share.openLink(ADA, duplicate.submission_id)).toBeNull();
      expect(await share.openLink(EVE, signup.submission_id)).toBeNull();
      expect(await share.readShare(await findId(store, ADA))).toEqual(link);
      expect(await share.readShare('nobody')).toBeNull();
    });

    it('brings credit once the friend has confirmed, and not before', async () => {
      const { store, share } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      await store.createSignup(exampleSignup({ email: BOB, ...via(code) }));
      expect((await ownLink(store, ADA)).confirmed).toBe(0);
      expect(await share.links(10)).toMatchObject([{ email: ADA, signups: 1, confirmed: 0, counted: 0 }]);
      await confirmNext(store);
      expect((await ownLink(store, ADA)).confirmed).toBe(1);
      expect(await share.links(10)).toEqual([
        {
          id: await findId(store, ADA),
          email: ADA,
          signups: 1,
          confirmed: 1,
          counted: 1,
          held: 0,
          rejected: 0,
        },
      ]);
      expect(await readCircle(store, ADA)).toMatchObject({
        brought_by: null,
        credit: null,
        brought: [{ email: BOB, state: 'subscribed', credit: 'counted' }],
      });
      expect(await readCircle(store, BOB)).toMatchObject({
        brought_by: { email: ADA },
        credit: 'counted',
        brought: [],
      });
    });

    it.each([
      ['the same mailbox under another address', ['ada+friend@example.org']],
      ['a friend’s mailbox under several addresses', ['b.ob@gmail.com', 'bob+1@gmail.com', 'bob@googlemail.com'], 1],
      ['several friends', ['bob@gmail.com', 'carl@gmail.com'], 2],
    ])('counts %s as it should', async (_, emails, counted = 0) => {
      const { store } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      for (const email of emails) await join(store, { email, ...via(code) });
      expect((await ownLink(store, ADA)).confirmed).toBe(counted);
    });

    it('counts a mailbox for one person only', async () => {
      const { store } = await withPeople(ADA, BOB);
      await join(store, { email: 'carl+a@example.org', ...via(await readCode(store, ADA)) });
      await join(store, { email: 'carl+b@example.org', ...via(await readCode(store, BOB)) });
      expect([(await ownLink(store, ADA)).confirmed, (await ownLink(store, BOB)).confirmed]).toEqual([1, 0]);
    });

    it('counts nobody for an unknown code, for an import or for a person who was on the list before', async () => {
      const { store, list } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      await join(store, { email: BOB, ...via('aaaaaaaaaa') });
      // A campaign of another source may have any content.
      await join(store, { email: 'fay@x.io', ...via(code), utm_source: 'news' });
      const imported = { email: CARL, source: 'file', created_at: NOW, state: 'pending', ...via(code) } as const;
      await list.importPeople([imported], { welcome: true });
      await confirmNext(store);
      await store.createSignup(exampleSignup({ email: EVE }));
      const message = await confirmNext(store);
      await list.unsubscribe(unsubscribeHash(message));
      await join(store, { email: EVE, ...via(code) });
      expect(await readStates(store)).toEqual({
        [ADA]: 'subscribed',
        [BOB]: 'subscribed',
        [CARL]: 'subscribed',
        [EVE]: 'subscribed',
        'fay@x.io': 'subscribed',
      });
      expect((await ownLink(store, ADA)).confirmed).toBe(0);
    });

    it('counts no loop', async () => {
      const { store, list } = await withPeople();
      const message = await join(store, { email: ADA });
      await join(store, { email: BOB, ...via(await readCode(store, ADA)) });
      await list.unsubscribe(unsubscribeHash(message));
      await join(store, { email: ADA, ...via(await readCode(store, BOB)) });
      expect([(await ownLink(store, ADA)).confirmed, (await ownLink(store, BOB)).confirmed]).toEqual([1, 0]);
      // Carl shares his link while pending, and returns through his friend's link.
      await store.createSignup(exampleSignup({ email: CARL }));
      const pending = await confirmNext(store, false);
      await join(store, { email: EVE, ...via(await readCode(store, CARL)) });
      await list.unsubscribe(unsubscribeHash(pending));
      await join(store, { email: CARL, ...via(await readCode(store, EVE)) });
      expect([(await ownLink(store, CARL)).confirmed, (await ownLink(store, EVE)).confirmed]).toEqual([1, 0]);
    });

    it('holds the credit of a flood until an admin counts or rejects it', async () => {
      const { store, share, clock } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      const flood = Array.from({ length: MAX_SHARED_PER_HOUR + 15 }, (_, n) => `flood${n}@x${n}.io`);
      for (const email of flood) await store.createSignup(exampleSignup({ email, ...via(code) }));
      for (let count = 0; count < MAX_SHARED_PER_HOUR + 10; count += 1) await confirmNext(store);
      const [confirmed, counted] = [MAX_SHARED_PER_HOUR + 10, MAX_SHARED_PER_HOUR];
      expect(await share.links(10)).toMatchObject([
        { email: ADA, signups: flood.length, confirmed, counted, held: 10, rejected: 0 },
      ]);
      const id = await findId(store, ADA);
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed: counted, held: 10 });
      expect(
        await Promise.all([1, 2].map(() => share.decide(id, 'counted'))).then((counts) => counts.toSorted()),
      ).toEqual([0, 10]);
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed, held: 0 });
      for (let count = 0; count < 5; count += 1) await confirmNext(store);
      expect(await share.decide(id, 'rejected')).toBe(5);
      expect(await share.links(10)).toMatchObject([
        { counted: confirmed, held: 0, rejected: 5, confirmed: flood.length },
      ]);
      // A rejection can be reverted, and counted credit stays counted.
      expect([await share.decide(id, 'held'), await share.decide(id, 'held')]).toEqual([5, 0]);
      expect(await share.links(10)).toMatchObject([{ counted: confirmed, held: 5, rejected: 0 }]);
      expect(await share.decide(id, 'rejected')).toBe(5);
      // Two hours later the rate is low again.
      clock.now += 2 * HOUR_MS + 1;
      await deliverAll(store);
      await join(store, { email: EVE, ...via(code) });
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed: confirmed + 1, held: 0 });
      expect(await share.decide('nobody', 'counted')).toBe(0);
    });

    it('is not held because of signups that nobody confirms, which anyone can make', async () => {
      const { store } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      await join(store, { email: BOB, ...via(code) });
      const rivals = Array.from({ length: MAX_SHARED_PER_HOUR + 1 }, (_, n) => `rival${n}@x${n}.io`);
      for (const email of rivals) await store.createSignup(exampleSignup({ email, ...via(code) }));
      await store.createSignup(exampleSignup({ email: CARL, ...via(code) }));
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        if (message.email === CARL) await store.list.confirm(linkHash(message), null);
      }
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed: 2, held: 0 });
    });

    it('is held if many friends share a domain, whose addresses may be one person’s', async () => {
      const { store } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      const friends = Array.from({ length: MAX_SHARED_PER_DOMAIN + 3 }, (_, n) => `friend${n}@catch-all.example`);
      for (const email of friends) await join(store, { email, ...via(code) });
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed: MAX_SHARED_PER_DOMAIN, held: 3 });
      await join(store, { email: BOB, ...via(code) });
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed: MAX_SHARED_PER_DOMAIN + 1, held: 3 });
    });

    it('is listed first while its credit is held, then by its signups, up to the limit', async () => {
      const { store, share } = await withPeople(CARL, BOB, ADA);
      const friends = Array.from({ length: MAX_SHARED_PER_DOMAIN + 1 }, (_, n) => `friend${n}@catch-all.example`);
      const ada = via(await readCode(store, ADA));
      for (const email of friends) await join(store, { email, ...ada });
      await store.createSignup(exampleSignup({ email: 'one@x.io', ...via(await readCode(store, CARL)) }));
      const bob = via(await readCode(store, BOB));
      for (let n = 0; n <= friends.length; n += 1)
        await store.createSignup(exampleSignup({ email: `rival${n}@x.io`, ...bob }));
      const listed = async (limit: number) => (await share.links(limit)).map(({ email }) => email);
      expect([await listed(10), await listed(2)]).toEqual([
        [ADA, BOB, CARL],
        [ADA, BOB],
      ]);
      await share.decide(await findId(store, ADA), 'rejected');
      expect([await listed(10), await listed(1)]).toEqual([[BOB, ADA, CARL], [BOB]]);
    });

    it('is held if many friends have one network, who may be one person', async () => {
      const { store } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      for (let n = 0; n < 19; n += 1) await join(store, { email: `f${n}@x${n}.io`, ...via(code) }, 'a1b2');
      const held = 19 - MAX_SHARED_PER_NETWORK;
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed: MAX_SHARED_PER_NETWORK, held });
      await join(store, { email: BOB, ...via(code) }, 'c3d4');
      await join(store, { email: CARL, ...via(code) });
      expect(await ownLink(store, ADA)).toMatchObject({ confirmed: MAX_SHARED_PER_NETWORK + 2, held });
    });

    it('of a signup that waits is the same whether or not the mailbox has opted out, and shows no figures', async () => {
      const { store } = await setUp({ confirm: true, mailsPerHour: 100_000 });
      const share = store.share;
      const [left, dotted, fresh] = ['ann@gmail.com', 'a.n.n@gmail.com', 'new@x.io'];
      const message = await join(store, { email: left });
      await join(store, { email: BOB, ...via(await readCode(store, left)) });
      const oldCode = await readCode(store, left);
      await store.list.unsubscribe(unsubscribeHash(message));
      const codes = [oldCode];
      const opened = {
        code: expect.stringMatching(/^[\w-]{10}$/),
        page: 'https://acme.example/de/',
        confirmed: 0,
        held: 0,
      };
      for (const [index, email] of [left, dotted, fresh].entries()) {
        const signup = exampleSignup({ email, page_url: opened.page });
        expect([email, await store.createSignup(signup)]).toEqual([email, 'pending']);
        const confirmation = await confirmNext(store, false);
        const open = () => share.openLink(email, signup.submission_id);
        const [link, again] = await Promise.all([open(), open()]);
        const code = link?.code ?? '';
        await join(store, { email: `friend${index}@x${index}.io`, ...via(code) });
        expect([link, again, await open()]).toEqual([opened, link, link]);
        expect(await share.readPlace(code)).toBeNull();
        expect(await share.openLink(email, exampleSignup().submission_id)).toBeNull();
        codes.push(code);
        if (email === fresh) await store.list.confirm(linkHash(confirmation), null);
      }
      expect(new Set(codes).size).toBe(4);
      // A new signup's referrals are shown once it is confirmed; until then, the person's own data does not change.
      expect([await ownLink(store, fresh), await ownLink(store, left)]).toMatchObject([
        { code: codes[3], confirmed: 1 },
        { code: oldCode, confirmed: 1 },
      ]);
    });

    it('of a newcomer who has opted out leads to them once they have confirmed, and is erased with them', async () => {
      const { store, signups } = await setUp({ confirm: true, mailsPerHour: 100_000 });
      const share = store.share;
      await store.list.unsubscribe(unsubscribeHash(await join(store, { email: ADA })));
      const signup = exampleSignup({ email: ADA });
      await store.createSignup(signup);
      const confirmation = await confirmNext(store, false);
      const code = (await share.openLink(ADA, signup.submission_id))?.code ?? '';
      await join(store, { email: BOB, ...via(code) });
      expect((await readCircle(store, BOB))?.brought_by).toBeNull();
      await store.list.confirm(linkHash(confirmation), null);
      expect(await ownLink(store, ADA)).toMatchObject({ code, confirmed: 0 });
      await join(store, { email: EVE, ...via(code) });
      expect(await share.openLink(ADA, signup.submission_id)).toMatchObject({ code, confirmed: 1 });
      await store.erase(ADA);
      expect(JSON.stringify(await signups())).not.toContain(code);
    });

    it('of a newcomer who has opted out leaves no trace if they are erased before they confirm', async () => {
      const { store, signups } = await setUp({ confirm: true, mailsPerHour: 100_000 });
      await store.list.unsubscribe(unsubscribeHash(await join(store, { email: ADA })));
      const signup = exampleSignup({ email: ADA });
      await store.createSignup(signup);
      const code = (await store.share.openLink(ADA, signup.submission_id))?.code ?? 'missing';
      await store.createSignup(exampleSignup({ email: BOB, ...via(code) }));
      expect(JSON.stringify(await signups())).toContain(code);
      await store.erase(ADA);
      expect(JSON.stringify(await signups())).not.toContain(code);
    });

    it('remains that of a person who has unsubscribed and comes back', async () => {
      const { store } = await setUp({ confirm: true, mailsPerHour: 100_000 });
      const message = await join(store, { email: ADA });
      const code = await readCode(store, ADA);
      await join(store, { email: BOB, ...via(code) });
      await store.list.unsubscribe(unsubscribeHash(message));
      await join(store, { email: ADA });
      expect(await ownLink(store, ADA)).toMatchObject({ code, confirmed: 1 });
    });
  });

  describe('the place of a person', () => {
    it('is by date, a day ahead for each friend, among people who are subscribed', async () => {
      const { store, clock } = await withPeople(ADA, BOB);
      clock.now += DAY_MS;
      await join(store, { email: CARL });
      clock.now += DAY_MS / 2;
      await join(store, { email: EVE });
      await store.createSignup(exampleSignup({ email: 'pending@example.org' }));
      expect(await places(store, ADA, BOB, CARL, EVE, 'pending@example.org')).toEqual([1, 2, 3, 4, null]);
      await deliverAll(store);
      await join(store, { email: 'f@x1.io', ...via(await readCode(store, EVE)) });
      expect(await places(store, ADA, BOB, CARL, EVE, 'f@x1.io')).toEqual([1, 2, 4, 3, 5]);
      await join(store, { email: 'g@x2.io', ...via(await readCode(store, EVE)) });
      expect(await places(store, ADA, BOB, CARL, EVE)).toEqual([2, 3, 4, 1]);
      await store.erase('f@x1.io');
      expect(await places(store, ADA, BOB, CARL, EVE)).toEqual([1, 2, 4, 3]);
    });

    it.each([
      ['date', [ADA, BOB, EVE, CARL]],
      ['place', [ADA, EVE, BOB, CARL]],
      ['referrals', [CARL, EVE, ADA, BOB]],
    ] as const)('decides who is invited by %s', async (order, expected) => {
      const { store, clock } = await withPeople(ADA);
      const start = clock.now;
      const later = [
        [12, BOB],
        [25, EVE],
        [72, CARL],
      ] as const;
      for (const [hours, email] of later) {
        clock.now = start + hours * HOUR_MS;
        await join(store, { email });
      }
      clock.now += DAY_MS;
      for (const [index, email] of [EVE, CARL, CARL].entries()) {
        await join(store, { email: `f${index}@x${index}.io`, ...via(await readCode(store, email)) });
      }
      const found: string[] = [];
      for (let count = 0; count < 4; count += 1) found.push(...(await inviteOne(store, order)));
      expect(found).toEqual(expected);
    });
  });

  describe('erasing', () => {
    it('a friend takes their credit away, and a second signup of theirs brings it again', async () => {
      const { store, share } = await withPeople(ADA);
      const code = await readCode(store, ADA);
      await join(store, { email: BOB, ...via(code) });
      await store.erase(BOB);
      expect((await ownLink(store, ADA)).confirmed).toBe(0);
      expect(await share.links(10)).toEqual([]);
      await join(store, { email: BOB, ...via(code) });
      expect((await ownLink(store, ADA)).confirmed).toBe(1);
    });

    it.each(['an admin', 'time'])(
      'a person leaves nothing of their link with those whom they brought (%s)',
      async (by) => {
        const { store, share, clock, signups, sessions } = await withPeople();
        const signup = exampleSignup({ email: ADA });
        await store.createSignup(signup);
        const code = (await share.openLink(ADA, signup.submission_id))?.code ?? '';
        await confirmNext(store, false);
        await store.startSession({ ...SESSION, session_start: clock.now, ...via(code) });
        await join(store, { email: BOB, ...via(code) });
        if (by === 'time') {
          clock.now += PENDING_MS;
          await store.list.tidyPending(10);
        } else await store.erase(ADA);
        expect(await readStates(store)).toEqual({ [BOB]: 'subscribed' });
        expect(await readCircle(store, BOB)).toEqual({ brought_by: null, credit: null, brought: [] });
        expect(JSON.stringify([await signups(), await sessions()])).not.toContain(code);
        expect(await share.links(10)).toEqual([]);
      },
    );
  });

  it.each(Array.from({ length: histories }, (_, index) => index + 1))(
    'no history of share links makes a sum wrong, counts a mailbox twice or leaves a trace (%i)',
    async (seed) => {
      const { store, open, clock } = await setUp({ confirm: true, mailsPerHour: 100_000 });
      const stores = [store, open()];
      const random = numbers(seed);
      const mailboxes = Array.from({ length: 6 }, (_, n) => [`p${n}@x${n}.io`, `p${n}+again@x${n}.io`]).flat();
      const email = () => mailboxes[random(mailboxes.length)] ?? '';
      const either = () => stores[random(2)] ?? store;
      const opened: string[] = [];
      const unsubscribes: string[] = [];
      const steps: readonly (() => Promise<unknown>)[] = [
        async () => {
          const [link] = await listPeople(store).then((people) => people.slice(random(people.length + 1)));
          const code = link === undefined ? null : await either().share.readShare(link.id);
          await either().createSignup(exampleSignup({ email: email(), ...(code && via(code.code)) }));
        },
        async () => {
          const message = await claim(either());
          if (message === null) return;
          await either().mails.recordOutcome(message, { state: 'sent' });
          opened.push(linkHash(message));
          if (message.tokens.unsubscribe) unsubscribes.push(unsubscribeHash(message));
        },
        async () => {
          const hash = opened[random(opened.length)];
          if (hash) await Promise.all(stores.map((each) => each.list.confirm(hash, null)));
        },
        async () => {
          const hash = random(3) === 0 ? unsubscribes[random(unsubscribes.length)] : undefined;
          if (hash) await either().list.unsubscribe(hash);
        },
        async () => void (random(3) === 0 && (await either().erase(email()))),
        async () => {
          clock.now += random(12) === 0 ? PENDING_MS : random(30) * HOUR_MS;
          await either().list.tidyPending(10);
        },
      ];
      for (let step = 0; step < STEPS; step += 1) {
        await steps[random(steps.length)]?.();
        await expectConsistent(store);
      }
    },
  );
}

/**
 * Checks that totals match the people on the list, that each mailbox counts for one person, and that there are no
 * circular referrals.
 */
async function expectConsistent(store: Store): Promise<void> {
  const people = await listPeople(store);
  const records = await Promise.all(people.map(({ id }) => store.people.find(id)));
  const links = await store.share.links(100);
  const broughtBy = new Map<string, string>();
  for (const record of records) {
    const referrals = record?.share;
    if (!record || !referrals) throw new Error('a person has no referrals');
    if (referrals.credit !== null) {
      expect(referrals.brought_by).not.toBeNull();
      if (referrals.brought_by) broughtBy.set(record.id, referrals.brought_by.id);
    }
    const counted = referrals.brought.filter(({ credit }) => credit === 'counted').length;
    expect([record.email, record.referrals]).toEqual([record.email, counted]);
    const link = links.find(({ id }) => id === record.id);
    expect(link?.counted ?? 0).toBe(counted);
    const own = await store.share.readShare(record.id);
    expect(link?.signups ?? 0).toBe(records.filter((each) => each?.utm_content === own?.code).length);
  }
  const mailboxes = records.flatMap((record) => (record?.share?.credit ? [record.email.replace('+again', '')] : []));
  expect(new Set(mailboxes).size).toBe(mailboxes.length);
  for (const start of broughtBy.keys()) {
    let [at, steps] = [broughtBy.get(start), 0];
    while (at !== undefined && at !== start && steps < 100) [at, steps] = [broughtBy.get(at), steps + 1];
    expect(at, 'a circle of referrals').toBeUndefined();
  }
}

const SESSION = {
  id: 'session-of-a-friend',
  visitor_id: 'visitor-of-a-friend',
  user_agent: 'Mozilla/5.0',
  device_type: 'desktop',
  browser: 'Firefox',
  os: 'Linux',
  is_returning_visitor: false,
  total_sessions: 1,
  referrer: null,
} as const;

const via = (code: string) => ({ utm_source: 'share', utm_content: code });

/** Signs up and confirms. Returns the confirmation email. */
async function join(store: Store, signup: Partial<EmailSignup>, network: string | null = null) {
  await store.createSignup(exampleSignup(signup), { network });
  return confirmNext(store);
}

async function confirmNext(store: Store, opens = true) {
  const message = await deliver(store);
  if (opens && message.kind !== 'invite') await store.list.confirm(linkHash(message), null);
  return message;
}

async function listPeople(store: Store) {
  return (await store.people.list({ ...EVERYONE, sort: 'oldest', limit: 100, after: null })).people;
}

async function ownLink(store: Store, email: string) {
  const link = await store.share.readShare(await findId(store, email));
  if (link === null) throw new Error(`${email} is not on the list`);
  return link;
}

async function readCode(store: Store, email: string): Promise<string> {
  return (await ownLink(store, email)).code;
}

async function readCircle(store: Store, email: string) {
  return (await store.people.find(await findId(store, email)))?.share;
}

async function places(store: Store, ...emails: readonly string[]): Promise<(number | null)[]> {
  const found: (number | null)[] = [];
  for (const email of emails) found.push(await store.share.readPlace(await readCode(store, email)));
  return found;
}

/** Invites one person and returns their address. */
async function inviteOne(store: Store, order: InviteOrder): Promise<string[]> {
  const [last] = await store.list.waves(1);
  const before = await readStates(store);
  await store.list.invite({ after: last?.id ?? null, who: { count: 1, filter: EVERYONE, order } });
  const after = await readStates(store);
  return Object.keys(after).filter((email) => after[email] === 'invited' && before[email] !== 'invited');
}
