import { signupOf } from '@early-access-kit/testkit/records';
import { startScriptedServer } from '@early-access-kit/testkit/smtp-script';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import PostalMime from 'postal-mime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mailHarness, until } from '../../fixtures/mail-harness.ts';
import { messageComposer } from '../../mail/compose/message-composer.ts';
import { smtpTransport } from '../../mail/transports/smtp-transport.ts';
import { retryDelay } from './message-state.ts';

const compose = messageComposer({
  from: 'Acme <hello@example.com>',
  brand: { name: 'Acme', url: 'https://www.example.com/' },
});

describe('the mail worker over SMTP', () => {
  it('sends the welcome email with an unsubscribe link', async () => {
    const mail = await startMailServer();
    onTestFinished(mail.close);
    const { deliver } = smtpTransport({ url: mail.url });
    const { store, worker, count } = mailHarness(deliver, { compose });
    await store.createSignup(signupOf({ email: "o'brien+prints@example.org" }));
    worker.wake();
    await until(() => expect(count('sent')).toBe(1));
    expect(mail.recipients).toEqual(["o'brien+prints@example.org"]);
    const message = await PostalMime.parse(mail.received[0]?.source ?? '');
    expect(message.from).toMatchObject({ name: 'Acme', address: 'hello@example.com' });
    expect(message.to).toMatchObject([{ address: "o'brien+prints@example.org" }]);
    expect(message.messageId).toMatch(/^<[\da-f-]{36}@example\.com>$/);
    expect(message.text).toContain('https://www.example.com/');
    expect(message.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(
      '<mailto:hello@example.com?subject=unsubscribe>',
    );
  });

  it('retries if the server is down or defers the message', async () => {
    const mail = await startMailServer();
    onTestFinished(mail.close);
    const targets = [smtpTransport({ url: 'smtp://127.0.0.1:1' }), smtpTransport({ url: mail.url })];
    const { store, worker, count, pass, delivered } = mailHarness(
      async (email) => {
        const target = delivered.length === 1 ? targets[0] : targets[1];
        return target?.deliver(email) ?? { outcome: 'refused', refusal: 'content', reason: 'no target' };
      },
      { compose },
    );
    mail.replyWith(451);
    await store.createSignup(signupOf());
    worker.wake();
    await until(() => expect([delivered.length, count('queued')]).toEqual([1, 1]));
    pass(retryDelay(1));
    await until(() => expect([delivered.length, count('queued')]).toEqual([2, 1]));
    mail.replyWith(250);
    pass(retryDelay(2));
    await until(() => expect(count('sent')).toBe(1));
    expect(mail.recipients).toHaveLength(1);
  });

  it('fails a message that the server rejects permanently', async () => {
    const mail = await startMailServer();
    onTestFinished(mail.close);
    mail.replyWith(550);
    const { store, worker, count } = mailHarness(smtpTransport({ url: mail.url }).deliver, { compose });
    await store.createSignup(signupOf());
    worker.wake();
    await until(() => expect(count('failed')).toBe(1));
    expect(await Array.fromAsync(store.mails.unsent())).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('550') },
    ]);
  });

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
