import { expect, it } from 'vitest';
import { readNotice } from './notice.ts';

it.each([
  { type: 'signups', signups: 3, since: 1_700_000_000_000 },
  { type: 'webhook-disabled', endpoint: 'hooks.example.com', reason: 'responded with 500' },
  {
    type: 'weekly',
    period: '16 – 22 March 2026',
    figures: [{ label: 'Visitors', value: '1', change: '' }],
    dailySignups: [{ label: 'Mon', signups: 3 }],
  },
  { type: 'weekly', period: '16 – 22 March 2026', figures: [], dailySignups: [] },
])('reads a notice of type $type, and nothing else that is stored with it', (notice) => {
  expect(readNotice({ ...notice, other: 'x' })).toEqual(notice);
});

it('reads a weekly report that was queued before it had daily signups', () => {
  const notice = { type: 'weekly', period: '16 – 22 March 2026', figures: [] };
  expect(readNotice(notice)).toEqual({ ...notice, dailySignups: [] });
});

it.each([
  [null],
  ['signups'],
  [{}],
  [{ type: 'launch', signups: 3, since: 1, endpoint: 'x', reason: 'x' }],
  [{ type: 'signups', signups: '3', since: 1 }],
  [{ type: 'signups', signups: 3 }],
  [{ type: 'signups', endpoint: 'x', reason: 'x' }],
  [{ type: 'webhook-disabled', signups: 3, since: 1 }],
  [{ type: 'webhook-disabled', endpoint: 'x' }],
  [{ type: 'webhook-disabled', endpoint: 1, reason: 'x' }],
  [{ type: 'weekly', figures: [] }],
  [{ type: 'weekly', period: 'x', figures: 'x' }],
  [{ type: 'weekly', period: 'x', figures: [{ label: 'Visitors', value: 1, change: '' }] }],
  [{ type: 'weekly', period: 'x', figures: [null] }],
  [{ type: 'weekly', period: 'x', figures: [], dailySignups: 'x' }],
  [{ type: 'weekly', period: 'x', figures: [], dailySignups: [{ label: 'Mon', signups: '3' }] }],
])('refuses %j', (data) => {
  expect(() => readNotice(data)).toThrow(new TypeError('a notice has an unknown type'));
});
