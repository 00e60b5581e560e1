import { expect, it, vi } from 'vitest';
import { describeError, jsonLog } from './log.ts';

it('jsonLog writes one JSON line per event', () => {
  const write = vi.fn<(line: string) => void>();
  jsonLog({ write })('warn', 'mail-failed', { attempts: 1, reason: 'a "reason"' });
  const [line = ''] = write.mock.lastCall ?? [];
  expect(line).toMatch(/^[^\n]+\n$/);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(JSON.parse(line)).toEqual({ time, level: 'warn', event: 'mail-failed', attempts: 1, reason: 'a "reason"' });
});

it('describeError has the messages of an error and its causes, and nothing of what is no error', () => {
  const cause = new Error('disk full', { cause: 'ada@example.org' });
  expect(describeError(new Error('not stored'))).toBe('not stored');
  expect(describeError(new Error('not stored', { cause }))).toBe('not stored: disk full: unknown');
  expect(describeError('ada@example.org')).toBe('unknown');
});
