import { signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it, vi } from 'vitest';
import type { MailEventOptions } from '../../app/mail-events/receivers.ts';
import { appHarness } from '../../fixtures/app-harness.ts';
import {
  BREVO_BOUNCE,
  BREVO_COMPLAINT,
  basic,
  CERTIFICATE_URL,
  MAILGUN_BOUNCE,
  MAILGUN_COMPLAINT,
  mailgunReport,
  NEXT_CERTIFICATE_URL,
  POSTMARK_BOUNCE,
  POSTMARK_COMPLAINT,
  REPORTED,
  RESEND_BOUNCE,
  RESEND_COMPLAINT,
  SES_BOUNCE,
  SES_COMPLAINT,
  snsSigner,
  svixHeaders,
  TOPIC,
} from '../../fixtures/mail-reports.ts';
import { claimed, deliver, deliverAll } from '../../testing/harness.ts';

const SECRET = 's'.repeat(32);
const SVIX_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const MAILGUN_KEY = 'key-0123456789abcdef';
const ALL = { ses: TOPIC, postmark: SECRET, resend: SVIX_SECRET, mailgun: MAILGUN_KEY, brevo: SECRET };
const SIGNER = snsSigner();

async function harness(mailEvents: MailEventOptions = ALL, options: Parameters<typeof appHarness>[0] = {}) {
  const fetched: string[] = [];
  async function fetchText(url: string): Promise<string> {
    fetched.push(url);
    return url === CERTIFICATE_URL ? SIGNER.certificate : '';
  }
  const app = appHarness({ mailEvents: { fetchText, ...mailEvents }, ...options });
  await app.store.createSignup(signupOf({ email: REPORTED }));
  async function call(provider: string, body: unknown, headers: Record<string, string> = {}): Promise<number> {
    const json = { 'content-type': 'application/json', ...headers };
    return (await app.post(`/api/mail-events/${provider}`, body, { headers: json })).status;
  }
  /** Calls with a report in the provider's form, with the signature or the secret of the options. */
  const report = (provider: string, body: unknown) => {
    const text = JSON.stringify(body);
    if (provider === 'resend') return call(provider, text, svixHeaders(SVIX_SECRET, text, app.clock.now));
    if (provider === 'mailgun') return call(provider, mailgunReport(MAILGUN_KEY, app.clock.now, body));
    if (provider === 'ses')
      return call(provider, SIGNER.notification(body), { 'content-type': 'text/plain; charset=UTF-8' });
    return call(provider, text, basic(SECRET));
  };
  const state = async () => [...(await app.store.list.counts()).keys()].join();
  return { ...app, fetched, call, report, state };
}

it('pauses campaigns at the fourth complaint, and sends other emails', async () => {
  const people = Array.from({ length: 5 }, (_, index) => `person-${index}@example.org`);
  const app = await harness();
  const { store, log } = app;
  await store.list.importPeople(
    people.map((email) => ({ email, source: 'fair', state: 'subscribed' as const, created_at: 1 })),
    { welcome: false },
  );
  const content = { subject: 'We are live', body: '*', audience: { states: ['subscribed' as const], source: 'fair' } };
  const { id } = await store.campaigns.create(content);
  await store.campaigns.change(id, 'sending');
  await store.campaigns.feed();
  await deliverAll(store);
  const complain = (email: string) => app.report('postmark', { ...POSTMARK_COMPLAINT, Email: email });
  for (const email of people.slice(0, 3)) expect(await complain(email)).toBe(200);
  expect(await store.campaigns.find(id)).toMatchObject({ state: 'sending', complained: 3 });
  expect(await complain(people[3] ?? '')).toBe(200);
  expect(await store.campaigns.find(id)).toMatchObject({ state: 'paused', complained: 4 });
  expect(log).toContainEqual({
    level: 'error',
    event: 'campaigns-paused-for-complaints',
    fields: { campaigns: 1, emails: 6, complaints: 4 },
  });
  await store.createSignup(signupOf());
  expect(await claimed(store)).toMatchObject({ kind: 'welcome' });
});

/** A bounce and a complaint of each provider about the person on the list. */
const REPORTS: readonly [string, unknown, unknown][] = [
  ['postmark', POSTMARK_BOUNCE, POSTMARK_COMPLAINT],
  ['brevo', BREVO_BOUNCE, BREVO_COMPLAINT],
  ['resend', RESEND_BOUNCE, RESEND_COMPLAINT],
  ['mailgun', MAILGUN_BOUNCE, MAILGUN_COMPLAINT],
  ['ses', SES_BOUNCE, SES_COMPLAINT],
];

describe.each(REPORTS)('reports of %s', (provider, bounce, complaint) => {
  it('of spam are counted by the campaign that was the last email', async () => {
    const { report, store } = await harness();
    const { id } = await store.campaigns.create({
      subject: 'We are live',
      body: 'Hello',
      audience: { states: ['subscribed'], source: null },
    });
    await deliver(store);
    await store.campaigns.change(id, 'sending');
    await store.campaigns.feed();
    await deliver(store);
    expect(await report(provider, complaint)).toBe(200);
    expect(await store.campaigns.find(id)).toMatchObject({ sent: 1, complained: 1, unsubscribed: 0 });
  });

  it('make a person bounced', async () => {
    const { report, state } = await harness();
    expect([await report(provider, bounce), await state()]).toEqual([200, 'bounced']);
  });

  it('unsubscribe a person', async () => {
    const { report, state } = await harness();
    expect([await report(provider, complaint), await state()]).toEqual([200, 'unsubscribed']);
  });

  it('change nothing about an address that is not on the list, and do not reveal that', async () => {
    const { store, report, log } = await harness();
    await store.erase(REPORTED);
    expect(await report(provider, bounce)).toBe(200);
    expect([(await store.list.counts()).size, log]).toEqual([0, []]);
  });

  it('are refused without its signature or secret, and change nothing', async () => {
    const { call, state, log } = await harness();
    const bodies = [bounce, { 'event-data': bounce }, { Type: 'Notification', Message: JSON.stringify(bounce) }, {}];
    for (const body of bodies) expect(await call(provider, body)).toBe(401);
    expect(await state()).toBe('subscribed');
    expect(log).toHaveLength(4);
    expect(log[0]).toMatchObject({ event: 'mail-event-refused', fields: { provider } });
    expect(JSON.stringify(log)).not.toContain('@');
  });

  it('are not accepted unless the provider is on', async () => {
    const { report, state } = await harness({ ...ALL, [provider]: null });
    expect([await report(provider, bounce), await state()]).toEqual([404, 'subscribed']);
    const off = await harness({});
    expect([await off.report(provider, bounce), await off.state()]).toEqual([404, 'subscribed']);
  });
});

it.each([
  {},
  { authorization: SECRET },
  { authorization: `Bearer ${SECRET}s` },
  { authorization: `Bearer ${SECRET} s` },
  { authorization: `s Bearer ${SECRET}` },
  { authorization: 'Bearer ' },
  basic(''),
  basic(`${SECRET}:`),
  { authorization: `Basic ${Buffer.from(SECRET).toString('base64')}x` },
])('refuses the shared secret %j', async (headers) => {
  const { call, state } = await harness();
  expect([await call('postmark', POSTMARK_BOUNCE, headers), await state()]).toEqual([401, 'subscribed']);
});

it.each(['Bearer ', 'bearer  '])('accepts the shared secret after %j', async (scheme) => {
  const { call, state } = await harness();
  const headers = { authorization: `${scheme}${SECRET}` };
  expect([await call('brevo', BREVO_BOUNCE, headers), await state()]).toEqual([200, 'bounced']);
});

it('refuses a signature of Svix that is old, of another secret, or of another body', async () => {
  const { call, clock, state } = await harness();
  const text = JSON.stringify(RESEND_BOUNCE);
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  const signed = svixHeaders(SVIX_SECRET, text, clock.now);
  const statuses = [
    await call('resend', text, svixHeaders(SVIX_SECRET, text, clock.now - 6 * 60_000)),
    await call('resend', text, svixHeaders(other, text, clock.now)),
    await call('resend', `${text} `, signed),
    await call('resend', text, { ...signed, 'svix-signature': 'v1' }),
  ];
  expect([statuses, await state()]).toEqual([[401, 401, 401, 401], 'subscribed']);
});

describe('a report of Mailgun', () => {
  it('is accepted once by its token, which signs no event', async () => {
    const { call, clock, state, store } = await harness();
    const signed = mailgunReport(MAILGUN_KEY, clock.now, MAILGUN_BOUNCE);
    expect(await call('mailgun', signed)).toBe(200);
    await store.createSignup(signupOf({ email: 'you@example.org' }));
    clock.now += 8 * 3_600_000;
    const forged = { ...signed, 'event-data': { ...MAILGUN_BOUNCE, recipient: 'you@example.org' } };
    expect([await call('mailgun', forged), await state()]).toEqual([429, 'bounced,subscribed']);
  });

  it('is accepted once even if it has no event, because its signature would sign any', async () => {
    const { call, clock, state } = await harness();
    const { signature } = mailgunReport(MAILGUN_KEY, clock.now, MAILGUN_BOUNCE);
    const opened = { signature, 'event-data': { ...MAILGUN_BOUNCE, event: 'opened' } };
    const statuses = [
      await call('mailgun', opened),
      await call('mailgun', { signature, 'event-data': MAILGUN_BOUNCE }),
    ];
    expect([statuses, await state()]).toEqual([[200, 429], 'subscribed']);
  });

  it('is accepted again after the store has failed', async () => {
    const changePerson = vi.fn(async () => {}).mockRejectedValueOnce(new Error('the disk is full'));
    const { call, clock } = await harness(ALL, { list: { changePerson } });
    const signed = mailgunReport(MAILGUN_KEY, clock.now, MAILGUN_BOUNCE);
    expect([await call('mailgun', signed), await call('mailgun', signed)]).toEqual([500, 200]);
  });

  it('is refused if it is old, or its time or its token is another', async () => {
    const { call, clock, state } = await harness();
    const { signature } = mailgunReport(MAILGUN_KEY, clock.now, MAILGUN_BOUNCE);
    const changed = (changes: object) => ({ signature: { ...signature, ...changes }, 'event-data': MAILGUN_BOUNCE });
    const bodies = [
      mailgunReport(MAILGUN_KEY, clock.now - DAY_MS, MAILGUN_BOUNCE),
      mailgunReport(MAILGUN_KEY, clock.now + DAY_MS, MAILGUN_BOUNCE),
      mailgunReport('another', clock.now, MAILGUN_BOUNCE),
      changed({ timestamp: String(Number(signature.timestamp) + 1) }),
      changed({ token: 'b'.repeat(50) }),
      changed({ signature: '' }),
      changed({ timestamp: `${signature.timestamp}${signature.token[0]}`, token: signature.token.slice(1) }),
    ];
    for (const body of bodies) expect(await call('mailgun', body)).toBe(401);
    expect(await state()).toBe('subscribed');
  });
});

describe('a message of Amazon SNS', () => {
  it.each(['1', '2'])('is accepted with version %s of the signature, and a subject', async (version) => {
    const { call, state, fetched } = await harness();
    expect(await call('ses', SIGNER.notification(SES_BOUNCE, { Subject: 'Amazon SES' }, version))).toBe(200);
    expect([await state(), fetched]).toEqual(['bounced', [CERTIFICATE_URL]]);
  });

  it('fetches the certificate once, and again after that failed', async () => {
    const fetchText = vi.fn(async () => SIGNER.certificate).mockRejectedValueOnce(new Error('no route'));
    const { call, log } = await harness({ ...ALL, fetchText });
    const message = SIGNER.notification(SES_BOUNCE);
    const statuses = [await call('ses', message), await call('ses', message), await call('ses', message)];
    expect([statuses, fetchText.mock.calls.length]).toEqual([[503, 200, 200], 2]);
    expect(JSON.stringify(log)).not.toContain('@');
  });

  it('is ignored if it is not JSON, such as the one with which SES tries a topic', async () => {
    const { call, state } = await harness();
    const text = 'Successfully validated SNS topic for Amazon SES event publishing.';
    expect([await call('ses', SIGNER.notification(text)), await state()]).toEqual([200, 'subscribed']);
  });

  it('confirms a subscription of the topic', async () => {
    const { call, fetched } = await harness();
    expect(await call('ses', SIGNER.confirmation())).toBe(200);
    const [, confirmed = ''] = fetched;
    const { origin, searchParams } = new URL(confirmed);
    expect([origin, Object.fromEntries(searchParams)]).toEqual([
      'https://sns.eu-west-1.amazonaws.com',
      { Action: 'ConfirmSubscription', TopicArn: TOPIC, Token: '2336412f37' },
    ]);
  });

  it('never fetches for another topic, another host or another path', async () => {
    const { call, fetched, state } = await harness(ALL, {
      rateLimits: { wrongMailEvents: { burst: 100, perMinute: 1 } },
    });
    const other = { TopicArn: `${TOPIC}2` };
    const urls = [
      'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-a.pem',
      'https://evil.example/SimpleNotificationService-a.pem',
      'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem',
      'https://sns.eu-west-1.amazonaws.com/bucket/SimpleNotificationService-a.pem',
      'https://sns.eu-west-1.amazonaws.com/?x=SimpleNotificationService-a.pem',
      'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem',
      'https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-a.pem',
      'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem?x',
      '',
    ];
    const messages = [
      SIGNER.notification(SES_BOUNCE, other),
      SIGNER.confirmation(other),
      SIGNER.notification(SES_BOUNCE, { Type: 'Other' }),
      SIGNER.notification(SES_BOUNCE, {}, '3'),
      ...urls.map((url) => SIGNER.notification(SES_BOUNCE, {}, '2', url)),
    ];
    for (const message of messages) expect(await call('ses', message)).toBe(401);
    expect([fetched, await state()]).toEqual([[], 'subscribed']);
  });

  it('is refused if it was changed or another key signed it', async () => {
    const { call, fetched, state } = await harness();
    const message = SIGNER.notification('{}');
    const messages = [
      { ...message, Message: JSON.stringify(SES_BOUNCE) },
      { ...message, Subject: 'added' },
      { ...SIGNER.confirmation(), Token: 'another' },
      snsSigner().notification(SES_BOUNCE),
      { ...message, Signature: 7 },
    ];
    for (const body of messages) expect(await call('ses', body)).toBe(401);
    expect([fetched, await state()]).toEqual([[CERTIFICATE_URL], 'subscribed']);
  });

  it('costs few fetches if it names certificates that nobody has', async () => {
    const { call, fetched } = await harness(ALL, { rateLimits: { wrongMailEvents: { burst: 2, perMinute: 1 } } });
    const wrong = () =>
      call(
        'ses',
        SIGNER.notification(SES_BOUNCE, {}, '2', `${NEXT_CERTIFICATE_URL.slice(0, -5)}${fetched.length}.pem`),
      );
    const statuses = [await wrong(), await wrong(), await wrong(), await wrong()];
    expect([statuses.slice(2), fetched.length]).toEqual([[429, 429], 2]);
    expect(await call('ses', SIGNER.notification(SES_BOUNCE))).toBe(429);
  });
});

it.each([
  ['ses', 'arn:aws:sqs:eu-west-1:123456789012:bounces'],
  ['ses', `x${TOPIC}`],
  ['ses', `${TOPIC}/x`],
  ['resend', 'whsec_'],
  ['resend', 'not base64'],
])('does not start with %s: %s', (provider, secret) => {
  expect(() => appHarness({ mailEvents: { [provider]: secret } })).toThrow(`mailEvents.${provider} must be`);
});

it('bounds the body before it reads it, and refuses what is not JSON', async () => {
  const { call } = await harness();
  expect(await call('postmark', 'x'.repeat(524_289), basic(SECRET))).toBe(413);
  expect(await call('postmark', '{', basic(SECRET))).toBe(400);
  expect(await call('postmark', '{}', { ...basic(SECRET), 'content-type': 'text/html' })).toBe(415);
  expect(await call('unknown', {}, basic(SECRET))).toBe(404);
});

/** Posts a body that counts how often a part of it is read. */
async function postUnread({ app }: Pick<Awaited<ReturnType<typeof harness>>, 'app'>, provider: string) {
  let reads = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        reads += 1;
        controller.enqueue(Buffer.from('['.repeat(1_000)));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { host: 'localhost:4173', 'content-type': 'application/json' };
  const request = new Request(`http://localhost:4173/api/mail-events/${provider}`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  });
  const { status } = await app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } });
  return { status, reads };
}

it('refuses a wrong secret in the headers before it reads the body, and any body of a client whose limit is exhausted', async () => {
  const app = await harness(ALL, { rateLimits: { wrongMailEvents: { burst: 2, perMinute: 1 } } });
  expect(await postUnread(app, 'brevo')).toEqual({ status: 401, reads: 0 });
  expect(await postUnread(app, 'postmark')).toEqual({ status: 401, reads: 0 });
  for (const provider of ['ses', 'resend', 'mailgun', 'brevo']) {
    expect([provider, await postUnread(app, provider)]).toEqual([provider, { status: 429, reads: 0 }]);
  }
});

it('parses no body whose signature is wrong, and none that is nested deeply', async () => {
  const { call, clock } = await harness();
  const nested = '['.repeat(500_000);
  expect(await call('resend', nested)).toBe(401);
  expect(await call('resend', nested, svixHeaders(SVIX_SECRET, nested, clock.now))).toBe(400);
  expect(await call('brevo', nested, basic(SECRET))).toBe(400);
  for (const provider of ['mailgun', 'ses']) expect(await call(provider, nested)).toBe(401);
});

it('gives genuine reports their token back, so that any number of them may come', async () => {
  const { report } = await harness(ALL, { rateLimits: { wrongMailEvents: { burst: 2, perMinute: 1 } } });
  for (let turn = 0; turn < 5; turn += 1) expect(await report('resend', RESEND_BOUNCE)).toBe(200);
});

it('limits wrong reports, which do not keep genuine ones out, and genuine ones far later', async () => {
  const limits = { wrongMailEvents: { burst: 2, perMinute: 1 }, mailEvents: { burst: 2, perMinute: 1 } };
  const { call, report } = await harness(ALL, { rateLimits: limits });
  const statuses = [];
  for (let turn = 0; turn < 3; turn += 1) statuses.push(await call('brevo', {}));
  for (let turn = 0; turn < 3; turn += 1) statuses.push(await report('brevo', BREVO_BOUNCE));
  expect(statuses).toEqual([401, 401, 429, 200, 200, 429]);
});
