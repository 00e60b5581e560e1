import { expect, it } from 'vitest';
import { mailLine, type UnsentMail } from './unsent-mail.ts';

const DUE = Date.UTC(2026, 2, 1, 14, 10);
const NEXT_HOUR = Date.UTC(2026, 2, 1, 15);
const queued: UnsentMail = {
  id: 'key',
  email: 'ada@x.io',
  kind: 'welcome',
  state: 'queued',
  attempts: 0,
  nextAttemptAt: DUE,
  reason: null,
};

it('prints when a queued message is tried next and why it waits', () => {
  expect(mailLine(queued, null)).toBe('queued   ada@x.io  welcome, attempts 0, next 2026-03-01T14:10:00.000Z\n');
  expect(mailLine({ ...queued, attempts: 2, reason: '451' }, null)).toBe(
    'queued   ada@x.io  welcome, attempts 2, next 2026-03-01T14:10:00.000Z, 451\n',
  );
  expect(mailLine(queued, NEXT_HOUR)).toBe(
    'queued   ada@x.io  welcome, attempts 0, next 2026-03-01T15:00:00.000Z, the mail quota of this hour is used up\n',
  );
  expect(mailLine({ ...queued, nextAttemptAt: NEXT_HOUR, reason: 'its mailbox is full' }, NEXT_HOUR)).toBe(
    'queued   ada@x.io  welcome, attempts 0, next 2026-03-01T15:00:00.000Z, its mailbox is full\n',
  );
});

it('prints why any other message is not sent', () => {
  expect(mailLine({ ...queued, state: 'failed', attempts: 1, reason: '550' }, NEXT_HOUR)).toBe(
    'failed   ada@x.io  welcome, attempts 1, 550\n',
  );
});
