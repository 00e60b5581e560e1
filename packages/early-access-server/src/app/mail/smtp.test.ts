import { readFileSync } from 'node:fs';
import { signupOf } from '@early-access-kit/testkit/records';
import { startScriptedServer } from '@early-access-kit/testkit/smtp-script';
import { type MailRefusal, startMailServer } from '@early-access-kit/testkit/smtp-server';
import { DAY_MS, HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MailHarness, mailHarness, runPendingWork, until } from '../../fixtures/mail-harness.ts';
import { messageComposer } from '../../mail/compose/message-composer.ts';
import { smtpTransport } from '../../mail/transports/smtp-transport.ts';

const compose = messageComposer({
  from: 'Acme <hello@example.com>',
  brand: { name: 'Acme', url: 'https://www.example.com/' },
});

interface Rule {
  readonly at?: MailRefusal['at'];
  readonly match: string;
  readonly reply: string;
}

/** The rules of a mail server of the real world, for the recipients that they match. */
function readRules(name: string, recipients: readonly string[]): MailRefusal[] {
  const all: Readonly<Record<string, { readonly rules?: readonly Rule[] }>> = JSON.parse(
    readFileSync(new URL('../../fixtures/smtp-rules.json', import.meta.url), 'utf8'),
  );
  const rules = all[name]?.rules ?? [];
  return rules.flatMap(({ at = 'RCPT', match, reply }) =>
    recipients.filter((to) => new RegExp(match).test(to)).map((to) => ({ at, to, reply })),
  );
}

/** A mail server with these rules, and people who have signed up in this order. */
async function startServer(rules: string, emails: readonly string[]) {
  const mail = await startMailServer();
  onTestFinished(mail.close);
  mail.refuse(readRules(rules, emails));
  const harness = mailHarness(smtpTransport({ url: mail.url }).deliver, { compose });
  for (const email of emails) await harness.store.createSignup(signupOf({ email }));
  harness.worker.wake();
  /** Passes time, a minute at a time, and waits until nothing is being sent. */
  const pass = async (ms: number, stepMs = MINUTE_MS) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      harness.pass(stepMs);
      await untilIdle(harness);
    }
  };
  return { ...harness, mail, pass, states: () => harness.store.list.counts() };
}

/** Waits until no message is being sent, however many follow one another. */
async function untilIdle({ count, delivered }: MailHarness): Promise<void> {
  let before: number;
  do {
    before = delivered.length;
    await runPendingWork();
    await until(() => expect(count('sending')).toBe(0));
  } while (delivered.length > before);
}

const OTHERS = Array.from({ length: 6 }, (_, n) => `person-${n}@${['example.org', 'example.net'][n % 2]}`);

describe('replies of mail servers', () => {
  it.each([
    ['first', ['poison@group.example', ...OTHERS]],
    ['among the others', [...OTHERS.slice(0, 3), 'poison@group.example', ...OTHERS.slice(3)]],
    ['at the same domain', ['poison@example.org', ...OTHERS]],
    ['and another one first', ['poison@group.example', 'poison@example.com', ...OTHERS]],
  ])('poison: one recipient is refused, %s, and all others get their mail at once', async (_, emails) => {
    const { mail, count, states, store, pass } = await startServer('poison', emails);
    const poisoned = emails.length - OTHERS.length;
    // Two recipients in a row cannot be told from everyone, so that the others wait for the pause of a minute.
    if (poisoned === 2) await pass(MINUTE_MS);
    await until(() => expect(count('sent')).toBe(OTHERS.length));
    expect(mail.recipients.toSorted()).toEqual(OTHERS.toSorted());
    await until(() => expect(count('queued')).toBe(poisoned));
    const late = signupOf({ email: 'late@example.org' });
    await store.createSignup(late);
    await pass(MINUTE_MS);
    expect(mail.mailsTo(late.email)).toHaveLength(1);
    await pass(1.5 * DAY_MS, HOUR_MS);
    expect([count('sent'), count('failed')]).toEqual([OTHERS.length + 1, poisoned === 2 ? 0 : 1]);
    // Someone who signs up a day later does not wait for a pause that the same recipients made longer and longer.
    const last = signupOf({ email: 'last@example.net' });
    await store.createSignup(last);
    await pass(MINUTE_MS);
    expect(mail.mailsTo(last.email)).toHaveLength(1);
    expect(await states()).toEqual(new Map([['subscribed', emails.length + 2]]));
  });

  it('no-such-mailbox-m365: the people are bounced, and the queue is not paused', async () => {
    const { count, states, store } = await startServer('no-such-mailbox-m365', OTHERS.slice(0, 4));
    await until(() => expect(count('failed')).toBe(4));
    expect(await states()).toEqual(new Map([['bounced', 4]]));
    expect(await store.mails.pause()).toBeNull();
  });

  it('busy-mailbox: is tried again, and nobody is bounced', async () => {
    const { count, states, store, mail, pass } = await startServer('busy-mailbox', OTHERS.slice(0, 4));
    await until(() => expect(count('queued')).toBe(4));
    await pass(MINUTE_MS);
    expect([await store.mails.pause(), await states()]).toEqual([null, new Map([['subscribed', 4]])]);
    mail.refuse([]);
    await pass(2 * HOUR_MS, 10 * MINUTE_MS);
    expect(count('sent')).toBe(4);
  });

  it('test-mode-of-provider: the queue pauses at the first message, and nothing fails for good', async () => {
    const { count, states, store, mail, pass, delivered } = await startServer('test-mode-of-provider', [
      'a@example.org',
    ]);
    await until(() => expect([delivered.length, count('queued')]).toEqual([1, 1]));
    const pause = await store.mails.pause();
    expect(pause).toMatchObject({ refusals: 1, reason: expect.stringContaining('verify a domain first') });
    mail.refuse([{ at: 'DATA', reply: pause?.reason ?? '' }]);
    for (const email of OTHERS) await store.createSignup(signupOf({ email }));
    await pass(2 * DAY_MS, 3 * HOUR_MS);
    expect(delivered.length).toBeLessThan(60);
    expect([count('queued'), count('failed'), await states()]).toEqual([7, 0, new Map([['subscribed', 7]])]);
    mail.refuse([]);
    await pass(3 * HOUR_MS, 10 * MINUTE_MS);
    expect(count('sent')).toBe(7);
  });
});

describe('the mail worker over SMTP', () => {
  it('does not resend a message if the response was lost, and sends the next ones when the server works again', async () => {
    const hanging = await startScriptedServer({ message: 'hang' });
    onTestFinished(hanging.close);
    const working = await startMailServer();
    onTestFinished(working.close);
    const target = { url: hanging.url, timeoutMs: 200 };
    const { store, worker, count, pass } = mailHarness((email) => smtpTransport(target).deliver(email), { compose });
    await store.createSignup(signupOf());
    worker.wake();
    await until(() => expect(count('unknown')).toBe(1));
    Object.assign(target, { url: working.url, timeoutMs: 60_000 });
    const later = signupOf();
    await store.createSignup(later);
    pass(60_000);
    await until(() => expect(count('sent')).toBe(1));
    expect([working.recipients, count('unknown')]).toEqual([[later.email], 1]);
  });
});
