import type { MailServer } from '@early-access-kit/testkit/smtp-server';
import { expect, vi } from 'vitest';

const TOKEN_LENGTH = 43;

/** Waits for email number `index` to an address, and returns the token that follows `before` in it. */
export async function receiveToken(
  { mailsTo }: MailServer,
  address: string,
  before: string,
  index = 0,
): Promise<string> {
  await vi.waitFor(() => expect(mailsTo(address).length).toBeGreaterThan(index), { interval: 20 });
  // Long lines are folded, and "=" is written as "=3D".
  const source = (mailsTo(address)[index]?.source ?? '').replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  const start = source.indexOf(before);
  if (start === -1) throw new Error(`there is no ${before} in the email to ${address}`);
  return source.slice(start + before.length).slice(0, TOKEN_LENGTH);
}
