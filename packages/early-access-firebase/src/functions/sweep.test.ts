import { DAY_MS, HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import {
  createTimeLimit,
  type MailTransport,
  mailService,
  messageComposer,
  newPersonId,
  readBrand,
} from 'early-access-server/internal';
import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { firestoreStore } from '../firestore/firestore-store.ts';
import { harness, queuedMessage } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const b = harness();
const { call, clock, deliver, deploy, log, mail, signUp, sweep } = b;
const send = (email: string) => call('send-welcome-email', { email });

describe('the sweep', () => {
  it('retries a deferred message with growing delays until it is sent', async () => {
    b.mailServer.replyWith(451);
    const id = await signUp(ADA);
    await deliver(id);
    expect(await mail(id)).toMatchObject({ state: 'queued', attempts: 1, next_attempt_at: clock.now + 30_000 });
    const first = await mail(id);
    await sweep();
    await send(ADA);
    expect(await mail(id)).toMatchObject({ attempts: 1 });
    clock.now += 30_000;
    await sweep();
    expect(await mail(id)).toMatchObject({ state: 'queued', attempts: 2, next_attempt_at: clock.now + 60_000 });
    b.mailServer.replyWith(250);
    clock.now += 60_000;
    await Promise.all([sweep(), sweep(), deliver(id)]);
    expect(b.mailServer.recipients).toEqual([ADA]);
    expect(await mail(id)).toMatchObject({ state: 'sent', attempts: 3, message_key: first?.message_key, reason: null });
  });

  it('stops early if the mail server rejects everything', async () => {
    b.mailServer.replyWith(451);
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => signUp(`person-${n}@example.org`)));
    await Promise.all(ids.map(deliver));
    clock.now += HOUR_MS;
    await sweep();
    const attempts = (await Promise.all(ids.map(mail))).map((record) => Number(record?.attempts));
    const swept = attempts.filter((count) => count === 2).length;
    expect(swept).toBeGreaterThanOrEqual(8);
    expect(swept).toBeLessThan(16);
  });

  it('delivers more than one page, each message once', async () => {
    await deploy({ mailsPerHour: 400 });
    b.mailServer.replyWith(250);
    await storeQueued('early@example.org', clock.now - 5 * MINUTE_MS);
    await Promise.all(Array.from({ length: 85 }, (_, n) => storeQueued(`late-${n}@example.org`, clock.now)));
    await sweep();
    expect(b.mailServer.recipients).toHaveLength(86);
    expect(new Set(b.mailServer.recipients).size).toBe(86);
  });

  it('starts a scheduled campaign, and its follow-up a day later', async () => {
    await deploy({ mailsPerHour: 400 });
    b.mailServer.replyWith(250);
    const { campaigns, list } = b.store;
    const invited = { state: 'invited' as const, invited_at: clock.now };
    await list.importPeople([{ email: ADA, source: 'fair', created_at: clock.now, ...invited }], { welcome: false });
    const audience = { states: ['invited'], source: null } as const;
    const { id } = await campaigns.create({ subject: 'We are live', body: 'Hello', audience });
    await campaigns.schedule.set(id, { at: clock.now + HOUR_MS, zone: 'UTC' });
    await sweep();
    expect(b.mailServer.recipients).toEqual([]);
    clock.now += HOUR_MS;
    await Promise.all([sweep(), sweep()]);
    expect(b.mailServer.recipients).toEqual([ADA]);
    const followUp = await campaigns.schedule.followUp(id, 1);
    await campaigns.save(followUp?.id ?? '', { subject: 'Still there?', body: 'Hello', audience }, { revision: 'a' });
    await campaigns.schedule.set(followUp?.id ?? '', null);
    clock.now += DAY_MS;
    await sweep();
    expect(b.mailServer.recipients).toEqual([ADA, ADA]);
    expect(await campaigns.list()).toMatchObject([
      { state: 'done', sent: 1, follows: id },
      { state: 'done', sent: 1 },
    ]);
  });

  it('starts no delivery after its time is up', async () => {
    const emails = Array.from({ length: 5 }, (_, n) => `person-${n}@example.org`);
    for (const email of emails) await b.db.doc(`mails/${await signUp(email)}`).set(queued(clock.now));
    let now = clock.now;
    const started: string[] = [];
    const transport: MailTransport = {
      async deliver({ to }) {
        started.push(to);
        // Each of the four workers has now checked the clock once.
        if (started.length === 1) now += 1_000;
        return { outcome: 'refused', refusal: 'later', reason: '451' };
      },
      async close() {},
    };
    const store = firestoreStore({ firestore: b.db, clock: () => now });
    const brand = readBrand({ BRAND_NAME: 'Acme' }, new URL('https://www.acme.example'));
    const compose = messageComposer({ from: 'hello@acme.example', brand });
    const { runDue } = mailService({ queue: store.mails, compose, transport, clock: () => now, log: () => {} });
    const run = (withinMs: number) => runDue(createTimeLimit(withinMs, () => now));
    await run(999);
    expect(started).toHaveLength(4);
    started.length = 0;
    now += HOUR_MS;
    await run(1_000);
    expect(started).toHaveLength(5);
  });

  it('continues after a record that cannot be read', async () => {
    await b.db.doc('mails/broken').set({ state: 'queued', next_attempt_at: 0, campaign_id: null });
    const id = await signUp(ADA);
    await b.db.doc(`mails/${id}`).set(queued(clock.now));
    await sweep();
    expect(b.mailServer.recipients).toEqual([ADA]);
    expect(log).toContainEqual(expect.objectContaining({ event: 'mail-not-claimed' }));
  });

  it('sends due messages even if the list cannot be updated', async () => {
    const id = await signUp(ADA);
    await b.db.doc(`mails/${id}`).set(queued(clock.now));
    await b.db.doc('invite_waves/1').set({ remaining: 1, ids: null, filter: 'unreadable', position: null });
    expect((await sweep()).status).toBe(500);
    expect(b.mailServer.recipients).toEqual([ADA]);
  });

  it('deletes the message of an erased signup', async () => {
    const id = signupId(ADA);
    await b.db.doc(`mails/${id}`).set(queued(clock.now));
    await sweep();
    expect(await mail(id)).toBeUndefined();
    expect(b.mailServer.recipients).toEqual([]);
  });
});

/** Stores an enrolled signup whose message became due at `since`. */
async function storeQueued(email: string, since: number): Promise<void> {
  const id = await signUp(email);
  await b.db.doc(`email_signups/${id}`).update({ state: 'subscribed', person_id: newPersonId() });
  await b.db.doc(`mails/${id}`).set(queued(since));
}

function queued(since: number) {
  return queuedMessage(`key-${since}`, since);
}
