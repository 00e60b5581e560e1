import { mailboxKey, newMessage, type PersonState } from 'early-access-server/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { beforeNextTransaction, firestoreOfFile } from '../../fixtures/firestore.ts';
import { signupId, transact } from '../database.ts';
import { enrol } from '../list/enrolment.ts';
import { withAttempt } from '../mailbox.ts';
import { type MessageDocument, newMessageDocument, queueNotices } from '../message-document.ts';
import { quotaShards } from './hours.ts';
import { type FirestoreMailQueue, firestoreMailQueue } from './mail-queue.ts';

const LEASE_MS = 600_000;
/** Ten minutes past an hour. */
const NOW = Date.UTC(2026, 2, 1, 14, 10);
const database = await firestoreOfFile(NOW);
const { clock, readData: stored, countReads } = database;

function openQueue(mailsPerHour: number): FirestoreMailQueue {
  return firestoreMailQueue({
    firestore: database.firestore,
    mailsPerHour,
    clock: () => clock.now,
    leaseMs: LEASE_MS,
    confirm: false,
    welcomeEmail: true,
  });
}

/** Stores a signup as a browser does. Returns its id. */
async function signUp(email: string): Promise<string> {
  const id = signupId(email);
  await database.firestore.doc(`email_signups/${id}`).create({ email });
  return id;
}

function queueNotice(): Promise<void> {
  const notice = { type: 'weekly', period: 'May', figures: [], dailySignups: [] } as const;
  return transact(database.firestore, async (tx) => queueNotices(tx, ['admin@example.com'], notice, NOW));
}

/** Stores a person in this state, and a message of this kind to them that is due. */
async function storeMessage(state: PersonState, about: Partial<MessageDocument> & Pick<MessageDocument, 'kind'>) {
  const id = await signUp('ada@example.org');
  await database.firestore.doc(`email_signups/${id}`).update({ state });
  await database.firestore.doc(`mails/${id}`).set({ ...newMessageDocument({ signup_id: id, ...about }, NOW) });
  return id;
}

it('spreads the attempts of an hour over several documents', async () => {
  const mails = openQueue(7);
  const people = Array.from({ length: 9 }, (_, n) => `person-${n}@example.org`);
  const claims = await Promise.all((await Promise.all(people.map(signUp))).map(mails.claim));
  expect(claims.filter((claim) => claim === 'quota-spent')).toHaveLength(2);
  const counts = (await database.list('mail_hours')).map(({ name, fields }) => [
    name.split('/').at(-1),
    fields?.attempts,
  ]);
  expect(counts).toEqual([
    ['2026-03-01T14-0', { integerValue: '2' }],
    ['2026-03-01T14-1', { integerValue: '2' }],
    ['2026-03-01T14-2', { integerValue: '2' }],
    ['2026-03-01T14-3', { integerValue: '1' }],
  ]);
});

it('counts a large quota in more documents, because a document sustains one write per second', async () => {
  const mails = openQueue(100_000);
  const people = Array.from({ length: 100 }, (_, n) => `person-${n}@x${n}.org`);
  for (const id of await Promise.all(people.map(signUp))) await mails.claim(id);
  const shards = await database.list('mail_hours');
  expect(shards.length).toBeGreaterThan(20);
  expect(await mails.quotaSpentUntil()).toBeNull();
  for (const { name } of shards)
    await database.firestore.doc(name.split('/documents/')[1] ?? '').update({ attempts: 5_000 });
  expect(await mails.quotaSpentUntil()).not.toBeNull();
});

describe('a claim', () => {
  it('counts one attempt if its response is lost', async () => {
    const mails = openQueue(10);
    const id = await signUp('ada@example.org');
    database.faults.next({ verb: 'commit', drop: 'after' });
    expect(await mails.claim(id)).toMatchObject({ email: 'ada@example.org', attempts: 1 });
    expect(await stored(`mails/${id}`)).toMatchObject({ state: 'sending', attempts: 1 });
    expect(await stored(`mailboxes/${mailboxKey('ada@example.org')}`)).toMatchObject({ attempts: [{ at: NOW }] });
  });

  it.each([
    ['is claimed by another', (id: string) => openQueue(10).claim(id)],
    ['is erased', (id: string) => database.firestore.doc(`email_signups/${id}`).delete()],
  ])('returns nothing if the signup %s in the meantime', async (_, change) => {
    const id = await signUp('ada@example.org');
    beforeNextTransaction(database, () => change(id));
    expect(await openQueue(10).claim(id)).toBe('nothing');
  });

  it('waits if the quota is used up in the meantime', async () => {
    const mails = openQueue(1);
    const [id, other] = [await signUp('ada@example.org'), await signUp('bob@example.org')];
    beforeNextTransaction(database, () => mails.claim(other));
    expect(await mails.claim(id)).toBe('quota-spent');
    const waiting = { state: 'queued', attempts: 0, next_attempt_at: NOW, claimed_by: '' };
    expect(await stored(`mails/${id}`)).toMatchObject(waiting);
    expect(await mails.quotaSpentUntil()).toBe(Date.UTC(2026, 2, 1, 15));
    // With the setting of the last attempt.
    await database.firestore.doc('mail_hours/2026-03-01T14-3').set({ attempts: 1, mails_per_hour: 10 });
    expect(await mails.quotaSpentUntil()).toBeNull();
  });

  it('is postponed for a day if the mailbox reaches its limit in the meantime', async () => {
    const mails = openQueue(10);
    const [id = '', ...others] = await Promise.all('abcd'.split('').map((tag) => signUp(`ada+${tag}@example.org`)));
    beforeNextTransaction(database, async () => {
      for (const other of others) await mails.claim(other);
    });
    expect(await mails.claim(id)).toBe('mailbox-full');
    expect(await stored(`mails/${id}`)).toMatchObject({
      state: 'queued',
      attempts: 0,
      next_attempt_at: NOW + 24 * 3_600_000,
      mailbox: mailboxKey('ada@example.org'),
    });
    clock.now += 24 * 3_600_000;
    await mails.claim(id);
    expect(await stored(`mails/${id}`)).toMatchObject({ attempts: 1, mailbox: mailboxKey('ada@example.org') });
  });

  it('returns nothing while a notice waits for its next attempt', async () => {
    const mails = openQueue(10);
    await queueNotice();
    const notice = await mails.due().claimNext();
    if (typeof notice === 'string') throw new Error(notice);
    await mails.recordOutcome(notice, { state: 'queued', retryAt: NOW + 1, reason: '451' });
    expect(await mails.claim(notice.id)).toBe('nothing');
    clock.now += 1;
    expect(await mails.claim(notice.id)).toMatchObject({ kind: 'notice', attempts: 2 });
  });

  const message = { ...newMessage('key', NOW), kind: 'welcome', claimed_by: '' };

  it.each([
    { state: 'odd' },
    { kind: 'odd' },
    { message_key: 1 },
    { attempts: '1' },
    { lease_until: null },
    { recipient: 1 },
  ])('fails with the name of the field instead of interpreting %o in a message', async (odd) => {
    const id = await signUp('ada@example.org');
    await database.firestore.doc(`mails/${id}`).set({ ...message, ...odd });
    await expect(openQueue(10).claim(id)).rejects.toMatchObject({
      code: 'unavailable',
      message: `early-access-kit: Firestore holds a document in mails with an unreadable ${Object.keys(odd)[0]}`,
    });
    expect(await stored(`mails/${id}`)).toEqual({ ...message, ...odd });
  });

  it.each([
    [1],
    [[1]],
    [[null]],
    [[{ at: NOW }]],
    [[{ message_key: 'key', at: '1' }]],
    [[{ message_key: 1, at: 1 }]],
    [[{ message_key: 'key' }]],
    [[{ message_key: 'key', at: 1 }, { at: 1 }]],
  ])('fails instead of flooding a mailbox whose attempts are %o', async (attempts) => {
    const id = await signUp('ada@example.org');
    const mailbox = mailboxKey('ada@example.org');
    await database.firestore.doc(`mailboxes/${mailbox}`).set({ attempts });
    await expect(openQueue(10).claim(id)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/ in mailboxes with an unreadable attempts$/),
    });
    expect(await stored(`mails/${id}`)).toMatchObject({ state: 'queued', attempts: 0 });
  });

  it('of a notice ignores the limit of the mailbox', async () => {
    const mails = openQueue(10);
    for (const tag of 'abc') await mails.claim(await signUp(`admin+${tag}@example.com`));
    await queueNotice();
    const notice = await mails.due().claimNext();
    expect(notice).toMatchObject({
      id: expect.stringMatching(/^notice\./),
      kind: 'notice',
      email: 'admin@example.com',
    });
  });

  it('chooses a part of the quota with room', async () => {
    for (const part of [0, 1, 2])
      await database.firestore.doc(`mail_hours/2026-03-01T14-${part}`).set({ attempts: 10 });
    const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => signUp(`person-${index}@example.org`)));
    for (const id of ids) await enrol(database.firestore, id, { confirm: false, welcomeEmail: true, now: clock.now });
    const transactions = vi.spyOn(database.firestore, 'runTransaction');
    onTestFinished(() => transactions.mockRestore());
    for (const id of ids) expect(await openQueue(40).claim(id)).toMatchObject({ attempts: 1 });
    expect(transactions).toHaveBeenCalledTimes(10);
  });

  it('reserves the end of the quota for signups, even if a part has room for campaigns', async () => {
    await database.firestore.doc('campaigns/1').set({ state: 'sending', subject: 'News', body: 'Soon' });
    const id = await storeMessage('subscribed', { kind: 'campaign', campaign_id: '1' });
    // Campaigns may use eight of ten attempts, two per shard.
    const attempts = [3, 3, 2, 0];
    for (const [part, count] of attempts.entries()) {
      await database.firestore.doc(`mail_hours/2026-03-01T14-${part}`).set({ attempts: count });
    }
    expect(await openQueue(10).claim(id)).toBe('quota-spent');
    expect(await openQueue(20).claim(id)).toMatchObject({ kind: 'campaign' });
  });

  it('returns nothing if the message is replaced by one that needs other links in the meantime', async () => {
    const id = await storeMessage('invited', { kind: 'welcome' });
    beforeNextTransaction(database, () => database.firestore.doc(`mails/${id}`).update({ kind: 'invite' }));
    expect(await openQueue(10).claim(id)).toBe('nothing');
    expect(await openQueue(10).claim(id)).toMatchObject({ kind: 'invite', attempts: 1 });
  });

  it('does not delete a message that may be sent again in the meantime', async () => {
    const id = await storeMessage('unsubscribed', { kind: 'welcome' });
    beforeNextTransaction(database, () =>
      database.firestore.doc(`email_signups/${id}`).update({ state: 'subscribed' }),
    );
    expect(await openQueue(10).claim(id)).toBe('nothing');
    expect(await openQueue(10).claim(id)).toMatchObject({ kind: 'welcome' });
  });

  it('does not delete a sent message, even if its signup is erased', async () => {
    const id = await storeMessage('subscribed', { kind: 'welcome', state: 'sent' });
    await database.firestore.doc(`email_signups/${id}`).delete();
    expect(await openQueue(10).claim(id)).toBe('nothing');
    expect(await stored(`mails/${id}`)).toMatchObject({ state: 'sent' });
  });

  it('reads the message and its signup, and the quota and mailbox only if it is due', async () => {
    const mails = openQueue(1);
    const [id, other] = [await signUp('ada@example.org'), await signUp('bob@example.org')];
    expect(await countReads(() => mails.claim(signupId('cy@example.org')))).toBe(2);
    expect(await countReads(() => mails.claim(`left-${id}`))).toBe(0);
    await mails.claim(other);
    await mails.claim(id);
    expect(await mails.claim(id)).toBe('quota-spent');
    // The message, its signup, the pause of the queue, the quota and the mailbox.
    expect(await countReads(() => mails.claim(id))).toBe(5);
  });
});

describe('a message of a campaign', () => {
  const CAMPAIGN = '1';

  /** Stores a running campaign with a queued message to each of these people. Returns the ids of the messages. */
  async function storeCampaign(emails: readonly string[]): Promise<readonly string[]> {
    await database.firestore.doc(`campaigns/${CAMPAIGN}`).set({ state: 'sending', subject: 'News', body: 'Soon' });
    return Promise.all(
      emails.map(async (email, index) => {
        const signup_id = await signUp(email);
        await database.firestore.doc(`email_signups/${signup_id}`).update({ state: 'subscribed' });
        const about = { kind: 'campaign', campaign_id: CAMPAIGN, signup_id } as const;
        const id = `${signup_id}.campaign.${CAMPAIGN}`;
        await database.firestore.doc(`mails/${id}`).set({ ...newMessageDocument(about, NOW - 1_000 + index) });
        return id;
      }),
    );
  }
  const people = (count: number) => Array.from({ length: count }, (_, n) => `person-${n}@x${n}.org`);
  const attempts = async () =>
    (await database.firestore.collection('mail_hours').get()).docs.reduce((sum, hour) => sum + hour.get('attempts'), 0);

  async function claimed(due: ReturnType<FirestoreMailQueue['due']>) {
    const claim = await due.claimNext();
    if (typeof claim === 'string') throw new Error(claim);
    return claim;
  }

  it('is marked as being sent when it is claimed, so that a crash leaves no others unknown', async () => {
    await storeCampaign(people(10));
    const due = openQueue(100_000).due();
    const first = [await claimed(due), await claimed(due)];
    expect(await attempts()).toBe(2);
    clock.now += LEASE_MS + 1;
    const other = openQueue(100_000);
    expect(await other.expireLeases()).toBe(2);
    expect(await other.counts()).toEqual(
      new Map([
        ['queued', 8],
        ['unknown', 2],
      ]),
    );
    const rest = other.due();
    const emails: string[] = [];
    for (let claim = await rest.claimNext(); claim !== 'nothing'; claim = await rest.claimNext()) {
      if (typeof claim === 'object') emails.push(claim.email);
    }
    expect([...first.map(({ email }) => email), ...emails].toSorted()).toEqual(people(10).toSorted());
  });

  it('is not claimed twice by two processes', async () => {
    await storeCampaign(people(10));
    const [queue, other] = [openQueue(100_000), openQueue(100_000)];
    const [due, otherDue] = [queue.due(), other.due()];
    await claimed(due);
    const emails = new Set<string>();
    for (const _ of people(9)) emails.add((await claimed(otherDue)).email);
    expect(emails.size).toBe(9);
    for (const _ of people(9)) expect(await due.claimNext()).toBe('taken');
    expect([await due.claimNext(), await attempts()]).toEqual(['nothing', 10]);
  });

  it('is claimed once if the response is lost', async () => {
    await storeCampaign(people(2));
    const due = openQueue(100_000).due();
    await claimed(due);
    database.faults.next({ verb: 'commit', drop: 'after' });
    const { id } = await claimed(due);
    expect(await stored(`mails/${id}`)).toMatchObject({ state: 'sending', attempts: 1 });
  });

  it('waits immediately if its campaign is paused or a message is rejected', async () => {
    await storeCampaign(people(10));
    const queue = openQueue(100_000);
    const due = queue.due();
    const first = await claimed(due);
    await queue.recordOutcome(first, { state: 'queued', retryAt: NOW, reason: '554', refusal: 'our-problem' });
    expect(await due.claimNext()).toBe('paused');
    await queue.endPause();
    await queue.recordOutcome(await claimed(due), { state: 'sent' });
    await claimed(due);
    await database.firestore.doc(`campaigns/${CAMPAIGN}`).update({ state: 'paused' });
    expect(await due.claimNext()).toBe('taken');
    expect((await queue.counts()).get('sending')).toBe(1);
  });

  it('respects the limit of a mailbox with several messages', async () => {
    await storeCampaign(Array.from({ length: 5 }, (_, n) => `victim+${n}@example.org`));
    const due = openQueue(100_000).due();
    const claims: string[] = [];
    for (let claim = await due.claimNext(); claim !== 'nothing'; claim = await due.claimNext()) {
      claims.push(typeof claim === 'string' ? claim : 'claimed');
    }
    expect(claims).toEqual(['claimed', 'claimed', 'claimed', 'mailbox-full', 'mailbox-full']);
    const signup = await openQueue(100).claim(await signUp('victim+9@example.org'));
    expect(signup).toBe('mailbox-full');
  });

  it('is dropped for people who have unsubscribed or were erased since it was found', async () => {
    const [, second = '', third = ''] = await storeCampaign(people(4));
    const due = openQueue(100_000).due();
    await claimed(due);
    await database.firestore.doc(`mails/${second}`).delete();
    await database.firestore.doc(`mails/${third}`).delete();
    expect([await due.claimNext(), await due.claimNext()]).toEqual(['taken', 'taken']);
    expect(await claimed(due)).toMatchObject({ email: people(4)[3] });
  });

  it('ends a series of unclear rejections with each accepted message', async () => {
    await storeCampaign(people(8));
    const queue = openQueue(100_000);
    const due = queue.due();
    const refused = { state: 'failed', reason: '550', refusal: 'unclear' } as const;
    for (const outcome of [refused, refused, { state: 'sent' } as const, refused, refused]) {
      await queue.recordOutcome(await claimed(due), outcome);
    }
    expect(await queue.pause()).toBeNull();
  });
});

it('only queries running campaigns for a campaign’s email', async () => {
  const mails = openQueue(0);
  await storeMessage('subscribed', { kind: 'welcome' });
  const due = mails.due();
  // The claim reads the message, the signup, the mailbox and the pause of the queue.
  expect(await countReads(() => due.claimNext())).toBe(1 + 4);
  expect(await countReads(() => due.claimNext())).toBe(1);
  expect(await countReads(async () => mails.findNextDue())).toBe(1);
});

it('cannot be claimed while its campaign is paused', async () => {
  await database.firestore.doc('campaigns/1').set({ state: 'paused', subject: 'News', body: 'Soon' });
  await storeMessage('subscribed', { kind: 'campaign', campaign_id: '1' });
  expect(await openQueue(10).due().claimNext()).toBe('nothing');
});

it('does not count an attempt as expired if its outcome arrives in the meantime', async () => {
  const mails = openQueue(10);
  const claimed = await mails.claim(await signUp('ada@example.org'));
  if (typeof claimed === 'string') throw new Error(claimed);
  clock.now += LEASE_MS + 1;
  beforeNextTransaction(database, () => mails.recordOutcome(claimed, { state: 'sent' }));
  expect(await mails.expireLeases()).toBe(0);
  expect(await stored(`mails/${claimed.id}`)).toMatchObject({ state: 'sent' });
});

it('contains the address of an unsent message as long as it is known', async () => {
  const mails = openQueue(10);
  const id = await signUp('ada@example.org');
  await mails.resend('ada@example.org');
  const emails = async () => (await Array.fromAsync(mails.unsent())).map(({ email }) => email);
  expect(await emails()).toEqual(['ada@example.org']);
  await database.firestore.doc(`email_signups/${id}`).delete();
  expect(await emails()).toEqual(['(erased)']);
});

it('losing a message does not change its person', async () => {
  const mails = openQueue(10);
  const id = await signUp('ada@example.org');
  await mails.claim(id);
  clock.now += LEASE_MS + 1;
  expect(await mails.expireLeases()).toBe(1);
  expect(await stored(`email_signups/${id}`)).toMatchObject({ state: 'subscribed' });
});

it('a quota is split into at most four parts', () => {
  const shares = (quota: number) => quotaShards(database.firestore, quota, NOW).map(({ share }) => share);
  expect([shares(7), shares(2), shares(0)]).toEqual([[2, 2, 2, 1], [1, 1], []]);
});

it('a mailbox stores the three latest attempts, one per message', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((message_key, index) => ({
    message_key,
    at: NOW - index,
  }));
  if (!a || !b || !c) throw new Error('three attempts are given');
  const keys = (...[attempts, attempt]: Parameters<typeof withAttempt>) =>
    withAttempt(attempts, attempt).attempts.map(({ message_key }) => message_key);
  expect(keys([c, a, b], { message_key: 'd', at: NOW + 1 })).toEqual(['d', 'a', 'b']);
  expect(keys([a, b, c], { message_key: 'c', at: NOW + 1 })).toEqual(['c', 'a', 'b']);
});
