import { DAY_MS, HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { newPersonId } from 'early-access-server/internal';
import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { harness, queuedMessage } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const b = await harness();
const { clock, deploy, mail, signUp, sweep } = b;

describe('the sweep', () => {
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

  it('sends what is due although the list cannot be brought up to date', async () => {
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
