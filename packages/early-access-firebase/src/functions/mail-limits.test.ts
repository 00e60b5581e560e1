import { DAY_MS, HOUR_MS } from 'early-access-kit/core';
import { MAILBOX_FULL_REASON, mailboxKey } from 'early-access-server/app';
import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { harness } from '../fixtures/harness.ts';

const b = harness();
const { clock, deliver, deploy, log, mail, signUp, sweep } = b;

function tagged(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `victim+${n}@example.org`);
}

async function signUpAll(emails: readonly string[]): Promise<string[]> {
  const ids = await Promise.all(emails.map(signUp));
  await Promise.all(ids.map(deliver));
  return ids;
}

describe('the mailbox limit', () => {
  it('allows three messages a day, and eventually all of them are sent', async () => {
    await signUpAll(tagged(12));
    expect(b.mailServer.recipients).toHaveLength(3);
    await sweep();
    expect(b.mailServer.recipients).toHaveLength(3);
    // Concurrent triggers may schedule too many messages for the same day; the sweep spreads them.
    for (let day = 1; day < 12 && b.mailServer.recipients.length < 12; day += 1) {
      const before = b.mailServer.recipients.length;
      clock.now += DAY_MS;
      await Promise.all([sweep(), sweep()]);
      expect(b.mailServer.recipients.length - before).toBeLessThanOrEqual(3);
    }
    expect(b.mailServer.recipients.toSorted()).toEqual(tagged(12).toSorted());
  });

  it('ignores dots and treats both domains of Gmail as one', async () => {
    await signUpAll(['ada@gmail.com', 'a.da@gmail.com', 'ad.a@googlemail.com', 'a.d.a+x@gmail.com', 'a.da@x.io']);
    expect(b.mailServer.recipients).toHaveLength(4);
    expect(b.mailServer.recipients).toContain('a.da@x.io');
  });

  it('preserves the hourly quota: 230 signups for one mailbox in one commit use three of its messages', async () => {
    await deploy({ mailsPerHour: 20 });
    const emails = tagged(230);
    const batch = b.db.batch();
    for (const email of emails) batch.set(b.db.doc(`email_signups/${signupId(email)}`), { email });
    await batch.commit();
    for (let start = 0; start < emails.length; start += 23) {
      await Promise.all(emails.slice(start, start + 23).map((email) => deliver(signupId(email))));
    }
    expect(b.mailServer.recipients).toHaveLength(3);
    const others = Array.from({ length: 17 }, (_, n) => `person-${n}@example.org`);
    await signUpAll(others);
    expect(b.mailServer.recipients.slice(3).toSorted()).toEqual(others.toSorted());
    expect(await b.database.list('mails')).toHaveLength(247);
  });

  it('schedules at most three waiting messages for each day', async () => {
    for (const id of await Promise.all(tagged(12).map(signUp))) await deliver(id);
    const records = await Promise.all(tagged(12).map((email) => mail(signupId(email))));
    const planned = records.filter((record) => record?.state === 'queued').map((record) => record?.next_attempt_at);
    expect(planned.toSorted()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3].map((day) => clock.now + day * DAY_MS));
    expect(records.at(-1)).toMatchObject({ attempts: 0, reason: MAILBOX_FULL_REASON });
    expect(log).toContainEqual(expect.objectContaining({ event: 'mail-postponed' }));
    expect(JSON.stringify(log)).not.toMatch(/victim|@/);
  });

  it('still applies after the sweep was down, and allows more after 24 hours', async () => {
    for (const id of await Promise.all(tagged(9).map(signUp))) await deliver(id);
    clock.now += DAY_MS - 1;
    await sweep();
    expect(b.mailServer.recipients).toHaveLength(3);
    clock.now += 5 * DAY_MS;
    await sweep();
    expect(b.mailServer.recipients).toHaveLength(6);
    clock.now += DAY_MS;
    await sweep();
    expect(b.mailServer.recipients).toHaveLength(9);
  });

  it('counts a retried message once', async () => {
    b.mailServer.replyWith(451);
    const id = await signUp('victim@example.org');
    await deliver(id);
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      clock.now += HOUR_MS;
      await sweep();
      expect(await mail(id)).toMatchObject({ attempts: attempt });
    }
    b.mailServer.replyWith(250);
    await signUpAll(tagged(3));
    expect(b.mailServer.recipients).toHaveLength(2);
  });

  it('stores the mailbox as a hash that expires', async () => {
    await signUpAll(['victim+1@example.org']);
    const { fields, name } = (await b.database.list('mailboxes'))[0] ?? {};
    expect(name?.split('/').at(-1)).toBe(mailboxKey('victim@example.org'));
    expect(JSON.stringify(fields)).not.toMatch(/victim|@/);
    const stored = await b.db.doc(`mailboxes/${mailboxKey('victim@example.org')}`).get();
    expect(stored.get('expires_at').toMillis()).toBe(clock.now + DAY_MS);
  });
});

it('an hourly count expires after a week', async () => {
  await signUpAll(['ada@example.org']);
  const [hour] = (await b.db.collection('mail_hours').get()).docs;
  expect(hour?.get('expires_at').toMillis()).toBe(clock.now + 7 * 86_400_000);
});
