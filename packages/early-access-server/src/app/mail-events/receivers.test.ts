import { afterEach, expect, it, vi } from 'vitest';
import { CERTIFICATE_URL, REPORTED, SES_BOUNCE, snsSigner, TOPIC } from '../../fixtures/mail-reports.ts';
import { describeError } from '../ports/log.ts';
import { mailReceivers } from './receivers.ts';

const SIGNER = snsSigner();

afterEach(() => void vi.unstubAllGlobals());

/** Receives a message of Amazon SNS, whose server responds with `status`. */
async function receive(topic: string, message: object, status = 200) {
  const fetch = vi.fn(async (_url: string, _options: RequestInit) => new Response(SIGNER.certificate, { status }));
  vi.stubGlobal('fetch', fetch);
  const report = { headers: new Headers(), text: JSON.stringify(message), now: 0 };
  const received = mailReceivers({ ses: topic }).get('ses')?.receive(report);
  const events = await received?.then((genuine) => genuine?.events);
  return { events, calls: fetch.mock.calls };
}

it('a certificate is fetched from Amazon, without following a redirect', async () => {
  const { events, calls } = await receive(TOPIC, SIGNER.notification(SES_BOUNCE));
  expect(events).toMatchObject([{ email: REPORTED, event: 'bounce' }]);
  expect(calls).toEqual([[CERTIFICATE_URL, { redirect: 'error', signal: expect.any(AbortSignal) }]]);
});

it('a report can be sent again if Amazon does not deliver its certificate', async () => {
  const failure = await receive(TOPIC, SIGNER.notification(SES_BOUNCE), 503).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'unavailable' });
  expect(describeError(failure)).toBe('early-access-kit: Amazon SNS does not respond: it responded 503');
});

it('a topic in China is confirmed there', async () => {
  const TopicArn = TOPIC.replace('arn:aws:sns:eu-west-1', 'arn:aws-cn:sns:cn-north-1');
  const origin = 'https://sns.cn-north-1.amazonaws.com.cn';
  const url = `${origin}/SimpleNotificationService-a.pem`;
  const { events, calls } = await receive(TopicArn, { ...SIGNER.confirmation({ TopicArn }), SigningCertURL: url });
  expect(events).toEqual([]);
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn, Token: '2336412f37' });
  expect(calls.map(([called]) => called)).toEqual([url, `${origin}/?${query}`]);
});
