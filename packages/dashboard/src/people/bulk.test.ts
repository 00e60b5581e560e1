import type { BulkResult } from 'early-access-server/admin-api';
import { expect, test } from 'vitest';
import { describeResult } from './bulk.ts';

const response = (...results: BulkResult[]) => ({
  results: results.map((result, index) => ({ id: `${index}`, result })),
});

test('the summary counts every outcome', () => {
  expect(describeResult('forget', response('done'))).toBe('1 person erased.');
  expect(describeResult('forget', response('done', 'gone', 'done', 'being-sent'))).toBe(
    '2 people erased. 1 person was already erased. 1 email is being sent right now: try again in a minute.',
  );
});

test('it only mentions outcomes that occurred', () => {
  expect(describeResult('resend', response('gone', 'gone'))).toBe('2 people were already erased.');
  expect(describeResult('forget', response('not-traceless'))).toMatch(/traces may remain/);
});
