import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/internal';
import { expect, it, onTestFinished } from 'vitest';
import { EVERYONE } from '../../app/people/people.ts';
import { until } from '../../fixtures/mail-harness.ts';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { createEarlyAccess } from './early-access.ts';
import type { EarlyAccessOptions } from './options.ts';

function fixture(options: Partial<EarlyAccessOptions> = {}, welcomeEmail = true) {
  const clock = { now: Date.now() };
  const { store, raw } = tempStore({ clock: () => clock.now, welcomeEmail });
  const sent: string[] = [];
  const transport = {
    async deliver({ to }: { readonly to: string }) {
      sent.push(to);
      return { outcome: 'sent' } as const;
    },
    async close() {},
  };
  const mail = { transport, from: 'hello@example.com' };
  const earlyAccess = createEarlyAccess({ store, mail, clock: () => clock.now, ...options });
  onTestFinished(() => earlyAccess.stop());
  const signUp = (email: string) =>
    earlyAccess.fetch(
      new Request('http://localhost/api/signups', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(signupOf({ email })),
      }),
    );
  return {
    clock,
    store,
    sent,
    earlyAccess,
    signUp,
    count: (table: string) => readValue(raw, `SELECT count(*) FROM ${table}`),
  };
}

it('sends welcome emails only after `start()`', async () => {
  const { earlyAccess, signUp, sent } = fixture();
  expect((await signUp('ada@example.org')).status).toBe(201);
  expect(sent).toEqual([]);
  earlyAccess.start('http://localhost:4173/');
  await until(() => expect(sent).toEqual(['ada@example.org']));
  await signUp('bob@example.org');
  await until(() => expect(sent).toEqual(['ada@example.org', 'bob@example.org']));
});

it('sends what is due and deletes old sessions in one round of jobs', async () => {
  const { earlyAccess, signUp, sent, clock, store, count } = fixture({ retentionDays: 31 });
  await store.startSession(sessionOf({ session_start: clock.now }));
  clock.now += 32 * DAY_MS;
  await signUp('ada@example.org');
  await earlyAccess.runJobs();
  expect([sent, count('sessions')]).toEqual([['ada@example.org'], 0]);
  await earlyAccess.runJobs({ withinMs: 0 });
  expect(sent).toHaveLength(1);
});

it('does not delete old sessions if retention is left to the database', async () => {
  const { earlyAccess, clock, store, count } = fixture({ retentionDays: 'by-database' });
  await store.startSession(sessionOf({ session_start: clock.now }));
  clock.now += 400 * DAY_MS;
  await earlyAccess.runJobs();
  expect(count('sessions')).toBe(1);
});

it('sends nothing without a transport, and the message remains queued', async () => {
  const { earlyAccess, signUp, store } = fixture({ mail: undefined });
  await signUp('ada@example.org');
  await earlyAccess.runJobs();
  expect(await store.mails.counts()).toEqual(new Map([['queued', 1]]));
});

it('queues no message while welcome emails are off, until an admin sends one', async () => {
  const { signUp, store, earlyAccess, sent } = fixture({}, false);
  expect((await signUp('ada@example.org')).status).toBe(201);
  expect(await store.mails.counts()).toEqual(new Map());
  await earlyAccess.runJobs();
  expect(sent).toEqual([]);
  expect((await store.people.list({ ...EVERYONE, sort: 'oldest', limit: 10, after: null })).people).toMatchObject([
    { mail: null, resends: 'welcome' },
  ]);
  const twice = await Promise.all([store.mails.resend('ada@example.org'), store.mails.resend('ada@example.org')]);
  expect([twice, await store.mails.counts()]).toEqual([['queued', 'queued'], new Map([['queued', 1]])]);
  await earlyAccess.runJobs();
  expect(sent).toEqual(['ada@example.org']);
  await signUp('bob@example.org');
  expect(await store.erase('bob@example.org')).toMatchObject({ erased: { messageKeys: [] }, traceless: true });
});
