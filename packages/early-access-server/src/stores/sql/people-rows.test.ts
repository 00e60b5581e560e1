import { expect, it } from 'vitest';
import { NO_HISTORY } from '../../testing/examples.ts';
import { cursorKey, toPage } from './people-rows.ts';

const KEY = new Uint8Array(32);

it('a page has a cursor only if there are more people', () => {
  const row = (id: number) => ({
    id,
    email: `p${id}@x.io`,
    session_id: null,
    source: 'fair',
    referrer: null,
    person_id: `person-${id}`,
    submission_id: 'submission_1',
    created_at: id,
    page_url: null,
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_term: null,
    utm_content: null,
    state: 'subscribed',
    ...NO_HISTORY,
    fields: null,
    referrals: 0,
    labels: null,
    bounced_from: null,
    mail_kind: null,
    mail_state: null,
  });
  const rows = [1, 2, 3].map(row);
  const readNext = (count: number) => toPage(rows.slice(0, count), 'oldest', 2, KEY).next;
  expect([readNext(0), readNext(1), readNext(2)]).toEqual([null, null, null]);
  expect(readNext(3)).toEqual(expect.any(String));
});

it('the key of cursors is bytes', () => {
  expect(cursorKey({ cursor_key: KEY })).toBe(KEY);
  expect(() => cursorKey({ cursor_key: 'x' })).toThrow(new TypeError('column cursor_key holds no bytes'));
});
