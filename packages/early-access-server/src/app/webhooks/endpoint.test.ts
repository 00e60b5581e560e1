import { DAY_MS } from 'early-access-kit/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PERSON_EVENTS } from '../lifecycle/states.ts';
import type { Webhook } from '../ports/webhook-store.ts';
import { afterDelivery, afterResend, type EndpointHealth, HEALTHY } from './endpoint.ts';
import { changeEndpoint } from './endpoint-change.ts';
import { EVENT_OF } from './events.ts';

const NOW = 1_700_000_000_000;
const FAILED = { state: 'queued', retryAt: NOW, reason: 'down' } as const;

describe('afterDelivery', () => {
  it('makes an endpoint healthy that responds, and leaves it off if it is', () => {
    const failing = { failing_since: 5, failures: 3, paused_until: NOW, disabled_at: null };
    expect(afterDelivery(failing, { state: 'sent' }, NOW)).toEqual(HEALTHY);
    const off = { ...failing, disabled_at: 7 };
    expect(afterDelivery(off, { state: 'sent' }, NOW)).toEqual({ ...HEALTHY, disabled_at: 7 });
  });

  it('pauses longer after each failure, and counts failures that come together once', () => {
    const once = afterDelivery(HEALTHY, FAILED, NOW);
    expect(once).toEqual({ failing_since: NOW, failures: 1, paused_until: NOW + 30_000, disabled_at: null });
    expect(afterDelivery(once, FAILED, NOW + 29_999)).toEqual(once);
    const twice = { ...once, failures: 2, paused_until: NOW + 30_000 + 60_000 };
    expect(afterDelivery(once, FAILED, NOW + 30_000)).toEqual(twice);
  });

  it('never asks again before the receiver wants it, unless that is after the day that it may fail for', () => {
    const time = fc.integer({ min: 0, max: 2 * DAY_MS });
    fc.assert(
      fc.property(time, time, fc.nat(20), fc.boolean(), (asked, since, failures, isPaused) => {
        const paused_until = isPaused ? NOW + 1_000 : NOW;
        const failing = { failing_since: NOW - since, failures, paused_until, disabled_at: null };
        const plain = afterDelivery(failing, FAILED, NOW);
        const after = afterDelivery(failing, { ...FAILED, notBefore: NOW + asked }, NOW);
        const latest = Math.min(NOW + asked, failing.failing_since + DAY_MS);
        if (after.disabled_at === null) {
          expect(after).toEqual({ ...plain, paused_until: Math.max(plain.paused_until, latest) });
        } else {
          expect(after).toEqual(plain);
        }
      }),
    );
  });

  it('counts from an earlier time if the clock was set back', () => {
    expect(afterDelivery({ ...HEALTHY, failing_since: NOW }, FAILED, NOW - 5)).toMatchObject({
      failing_since: NOW - 5,
    });
  });

  it('disables it after a day of failures, once', () => {
    const failing: EndpointHealth = { failing_since: NOW, failures: 9, paused_until: NOW, disabled_at: null };
    const later = NOW + DAY_MS;
    expect(afterDelivery(failing, FAILED, later - 1).disabled_at).toBeNull();
    expect(afterDelivery(failing, FAILED, later)).toEqual({ ...failing, disabled_at: later });
    expect(afterDelivery({ ...failing, disabled_at: 7 }, FAILED, later).disabled_at).toBe(7);
  });
});

it('afterResend ends a pause and nothing else', () => {
  const failing = { failing_since: 5, failures: 3, paused_until: NOW, disabled_at: null };
  expect(afterResend(failing)).toEqual({ ...failing, paused_until: 0 });
});

describe('changeEndpoint', () => {
  const failing = { failing_since: 5, failures: 3, paused_until: 9 };
  const on: Webhook = {
    id: 'hook',
    name: 'CRM',
    url: 'https://hooks.example.com/',
    secret: 'whsec_c2VjcmV0',
    format: 'json',
    events: ['signup.created'],
    created_at: 1,
    ...failing,
    disabled_at: null,
  };
  const off = { ...on, disabled_at: 7 };
  const nothing = { hastensQueued: false, failsQueued: false, queuesFailed: false };
  const url = 'https://other.example.com/';

  it('leaves the health as it is if only the events change, or nothing that was not so before', () => {
    const events = ['person.erased'] as const;
    expect(changeEndpoint(on, { events }, NOW)).toEqual({ endpoint: { ...on, events }, ...nothing });
    expect(changeEndpoint(off, { events }, NOW)).toEqual({ endpoint: { ...off, events }, ...nothing });
    expect(changeEndpoint(on, { enabled: true, url: on.url }, NOW)).toEqual({ endpoint: on, ...nothing });
    expect(changeEndpoint(off, { enabled: false }, NOW)).toEqual({ endpoint: off, ...nothing });
  });

  it('gives another URL a new start, but does not enable it', () => {
    expect(changeEndpoint(on, { url }, NOW)).toEqual({
      endpoint: { ...on, ...HEALTHY, url },
      ...nothing,
      hastensQueued: true,
    });
    expect(changeEndpoint(off, { url }, NOW).endpoint).toEqual({ ...on, ...HEALTHY, url, disabled_at: 7 });
  });

  it('gives it a new start when it is enabled, and queues what has failed', () => {
    expect(changeEndpoint(off, { enabled: true }, NOW)).toEqual({
      endpoint: { ...on, ...HEALTHY },
      ...nothing,
      queuesFailed: true,
    });
  });

  it('fails what is queued when it is disabled', () => {
    expect(changeEndpoint(on, { enabled: false }, NOW)).toEqual({
      endpoint: { ...on, ...HEALTHY, disabled_at: NOW },
      ...nothing,
      failsQueued: true,
    });
  });
});

it('endpoints are told when a person confirms, joins or unsubscribes', () => {
  expect(PERSON_EVENTS.map((event) => EVENT_OF[event] ?? null)).toEqual([
    'signup.confirmed',
    null,
    null,
    'invite.redeemed',
    'signup.unsubscribed',
    null,
    null,
  ]);
});
