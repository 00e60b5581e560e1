import { StorageError } from 'early-access-kit/core';
import { expect, it } from 'vitest';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import type { LogFields } from '../ports/log.ts';
import { deliverSignIn, randomSignInDelay } from './sign-in-mail.ts';
import { dashboardTeam } from './team.ts';

const ADMIN = 'admin@example.com';

function fixture(refusal?: Error) {
  const { store, raw } = tempStore();
  const log: [string, LogFields | undefined][] = [];
  const links: string[] = [];
  const limiter = { take: () => (refusal ? Promise.reject(refusal) : Promise.resolve()), giveBack: async () => {} };
  const deliver = () =>
    deliverSignIn(ADMIN, {
      store: store.admin,
      members: store.team,
      team: dashboardTeam([ADMIN], store.team),
      limiter,
      clock: Date.now,
      log: (_, event, fields) => log.push([event, fields]),
      sendLink: null,
      dashboardUrl: 'http://localhost:4173/admin',
      onSignInLink: (link) => links.push(link),
    });
  return { deliver, log, links, tokens: () => readValue(raw, 'SELECT count(*) FROM admin_sign_in_tokens') };
}

it('passes the link on without mail, and logs that nothing was sent', async () => {
  const { deliver, log, links } = fixture();
  await deliver();
  expect(links).toEqual([expect.stringMatching(/^http:\/\/localhost:4173\/admin#token=[\w-]{43}$/)]);
  expect(log).toEqual([['sign-in-not-mailed', { reason: 'no emails are sent; configure mail' }]]);
});

it('makes no further link for a mailbox that has had enough', async () => {
  const { deliver, log, links, tokens } = fixture(new StorageError('rate-limited', 'too many requests'));
  await deliver();
  expect([links, log, tokens()]).toEqual([[], [], 0]);
});

it.each([new StorageError('unavailable', 'the database does not respond'), new Error('a mistake')])(
  'rejects if the limit cannot be read: %s',
  async (error) => {
    const { deliver, tokens } = fixture(error);
    await expect(deliver()).rejects.toBe(error);
    expect(tokens()).toBe(0);
  },
);

it('waits for a random time of less than two seconds', () => {
  const delays = Array.from({ length: 1_000 }, randomSignInDelay);
  expect(delays.every((delay) => delay >= 0 && delay < 2_000)).toBe(true);
  for (const part of [0, 500, 1_000, 1_500]) {
    expect(delays.some((delay) => delay >= part && delay < part + 500)).toBe(true);
  }
});
