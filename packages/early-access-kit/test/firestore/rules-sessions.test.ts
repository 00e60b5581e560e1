import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { merge } from '../../src/adapters/firestore/values.ts';
import { randomId } from '../../src/core/random-id.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { EXAMPLE_LANDING } from '../../src/testing/examples.ts';
import { sessionFields } from './records.ts';
import { change, documentName, type Fields, set } from './rest.ts';
import { ALLOWED, DENIED, rulesFixture } from './rules.fixture.ts';

const NOW = Date.now();
/** Longer than the tests take. `rules-times.test.ts` checks the limits to the millisecond. */
const LATER_MS = 600_000;
const ID = randomId();
const name = documentName('sessions', ID);
const { commit, commitAsAdmin, refuses, get, query, aggregate, fields } = rulesFixture();

const without = (record: Fields, field: string): Fields =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== field));

describe('creating a session', () => {
  it('is allowed at its start, and as an update whose start never arrived', async () => {
    expect(await commit(set(name, sessionFields(NOW)))).toBe(ALLOWED);
    expect(await commit(set(documentName('sessions', randomId()), sessionFields(NOW, EXAMPLE_LANDING)))).toBe(ALLOWED);
    const flush = sessionFields(NOW - 60_000, { session_end: NOW, page_count: 3, is_bounce: false });
    expect(await commit(set(documentName('sessions', randomId()), flush))).toBe(ALLOWED);
  });

  it.each(Object.keys(sessionFields(NOW)))('is denied without %s', async (field) => {
    await refuses(set(name, without(sessionFields(NOW), field)));
  });

  it.each<[string, (string | number | boolean | Date | null)[]]>([
    ['visitor_id', [null, 5, '', 'short', 'a b c d e f']],
    ['session_start', [null, 'now', new Date(NOW), NOW - DAY_MS - 1, NOW + DAY_MS + LATER_MS, 0]],
    ['referrer', [5, true, 'https://x.io/\n']],
    ['user_agent', [null, 5, 'Mozilla\u0000']],
    ['device_type', [null, 5, '', 'fridge', 'Desktop']],
    ['browser', [null, 5, '', 'Mosaic', 'chrome']],
    ['os', [null, 5, '', 'BeOS', 'ios']],
    ['is_returning_visitor', [null, 1, 'true']],
    ['total_sessions', [null, '1', 0, -1]],
    ['session_end', [null, 'now', NOW - 1, NOW + DAY_MS + LATER_MS]],
    ['page_count', [null, '1', 0, -1]],
    ['total_duration', [null, '1', -1]],
    ['max_scroll_depth', [null, '1', -1]],
    ['click_count', [null, '1', -1]],
    ['is_bounce', [null, 1, 'true', false]],
    ['expires_at', [null, NOW, 'never', new Date(NOW), new Date(NOW + 396 * DAY_MS)]],
    ['landing_path', [null, 5, '/\n']],
    ['page_views', [null, 5, '/', new Date(NOW)]],
    ['utm_source', [null, 5, '\u0000']],
    ['utm_content', [null, true, '\u007f']],
  ])('is denied with a wrong %s', async (field, values) => {
    for (const value of values) await refuses(set(name, { ...sessionFields(NOW), [field]: value }));
  });

  it('is denied with a wrong path of a view, or a number that no stored view has', async () => {
    const { update } = set(name, sessionFields(NOW));
    const withViews = (values: object) => ({
      update: { ...update, fields: { ...update.fields, page_views: { mapValue: { fields: values } } } },
    });
    for (let number = 2; number <= 10; number += 1) {
      await refuses(withViews({ [number]: { integerValue: '5' } }));
      await refuses(withViews({ [number]: { stringValue: '/\n' } }));
    }
    for (const number of ['0', '1', '11', 'x']) await refuses(withViews({ [number]: { stringValue: '/' } }));
    const all = Array.from({ length: 9 }, (_, index) => [index + 2, { stringValue: `/${'x'.repeat(1_023)}` }]);
    expect(await commit(withViews(Object.fromEntries(all)))).toBe(ALLOWED);
  });

  it.each([
    ['session_start', NOW],
    ['session_end', NOW],
    ['total_sessions', 1],
    ['page_count', 1],
    ['total_duration', 0],
    ['max_scroll_depth', 0],
    ['click_count', 0],
  ])('is denied with a double for %s', async (field, value) => {
    const { update } = set(name, sessionFields(NOW));
    for (const doubleValue of [value, value + 0.5]) {
      await refuses({ update: { ...update, fields: { ...update.fields, [field]: { doubleValue } } } });
    }
  });

  it('is denied with more than one page view as a bounce', async () => {
    await refuses(set(name, { ...sessionFields(NOW), page_count: 2, is_bounce: true }));
    await refuses(set(name, { ...sessionFields(NOW), page_count: 0, is_bounce: false }));
  });

  it('is denied with any additional field', async () => {
    await refuses(set(name, { ...sessionFields(NOW), id: ID }));
  });

  it('is denied for an erased session, as a start and as an update', async () => {
    const digest = createHash('sha256').update(ID).digest('hex');
    await commitAsAdmin(set(documentName('erased_sessions', digest), { expires_at: new Date(NOW + DAY_MS) }));
    await refuses(set(name, sessionFields(NOW)));
    await refuses(merge(name, sessionFields(NOW), { total_duration: 5, page_count: 1 }));
    expect(await commit(set(documentName('sessions', randomId()), sessionFields(NOW)))).toBe(ALLOWED);
  });

  it('is denied with an invalid id', async () => {
    for (const id of ['short', 'a b c d e f', 'x'.repeat(65), 'café-latte']) {
      await refuses(set(documentName('sessions', id), sessionFields(NOW)));
    }
  });

  it('is denied below another document', async () => {
    await refuses(set(`${name}/pages/${randomId()}`, sessionFields(NOW)));
  });
});

describe('an existing session', () => {
  const TOTALS = { session_end: NOW + 40_000, page_count: 3, total_duration: 40, max_scroll_depth: 50, click_count: 2 };
  const started = async () => {
    await commit(set(name, { ...sessionFields(NOW), ...TOTALS, is_bounce: false }));
  };

  it('can be updated with its id', async () => {
    await started();
    const more = { session_end: NOW + 60_000, page_count: 4, total_duration: 60, max_scroll_depth: 90, click_count: 9 };
    expect(await commit(change(name, more))).toBe(ALLOWED);
    expect(await fields('sessions', ID)).toMatchObject({ click_count: { integerValue: '9' } });
  });

  it('merges late totals by maximum', async () => {
    await started();
    const before = await fields('sessions', ID);
    expect(await commit(merge(name, {}, { page_count: 1, total_duration: 5, session_end: NOW }, true))).toBe(ALLOWED);
    expect(await fields('sessions', ID)).toEqual(before);
  });

  it('gets views one by one', async () => {
    await started();
    expect(await commit(merge(name, { page_views: { 2: '/prices' } }, {}, true))).toBe(ALLOWED);
    expect(await commit(merge(name, { page_views: { 3: '/about' } }, {}, true))).toBe(ALLOWED);
    await refuses(merge(name, { page_views: { 11: '/' } }, {}, true));
    expect(await fields('sessions', ID)).toMatchObject({
      page_views: { mapValue: { fields: { 2: { stringValue: '/prices' }, 3: { stringValue: '/about' } } } },
    });
  });

  it.each(Object.entries(TOTALS))('is denied a lower %s', async (field, value) => {
    await started();
    await refuses(change(name, { [field]: value - 1 }));
  });

  it('cannot lose its end or become a bounce again', async () => {
    await started();
    await refuses({ update: { name, fields: {} }, updateMask: { fieldPaths: ['session_end'] } });
    await refuses(change(name, { is_bounce: true }));
    const bounce = documentName('sessions', randomId());
    await commit(set(bounce, sessionFields(NOW)));
    expect(await commit(change(bounce, { page_count: 2, is_bounce: false }))).toBe(ALLOWED);
    await refuses(change(name, { is_bounce: true, page_count: 1 }));
  });

  it.each<[string, Fields[string]]>([
    ['visitor_id', randomId()],
    ['session_start', NOW + 1],
    ['referrer', 'https://elsewhere.example/'],
    ['user_agent', 'curl'],
    ['device_type', 'desktop'],
    ['browser', 'Chrome'],
    ['os', 'Windows'],
    ['is_returning_visitor', true],
    ['total_sessions', 2],
    ['expires_at', new Date(NOW + 500 * DAY_MS)],
    ['landing_path', '/elsewhere'],
    ['utm_source', 'elsewhere'],
    ['note', 'x'],
  ])('is denied another %s', async (field, value) => {
    await started();
    await refuses(change(name, { [field]: value }));
    await refuses(change(name, { [field]: value, page_count: 4 }));
  });

  it('cannot be read, deleted, listed or counted, not even with its id', async () => {
    await started();
    await refuses({ delete: name });
    expect((await get('sessions', ID)).status).toBe(DENIED);
    expect((await get('sessions', randomId())).status).toBe(DENIED);
    expect((await query('sessions')).status).toBe(DENIED);
    expect((await aggregate('sessions')).status).toBe(DENIED);
  });

  it('cannot be changed by an additional write in a batch', async () => {
    await started();
    const own = set(documentName('sessions', randomId()), sessionFields(NOW));
    await refuses(own, change(name, { os: 'Windows' }));
    await refuses(change(name, { click_count: 3 }), change(name, { click_count: 1 }));
    await refuses({ delete: name }, set(name, sessionFields(NOW)));
    await refuses(own, set(documentName('elsewhere', 'x'), { x: 1 }));
  });
});
