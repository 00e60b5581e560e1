import type { MailServer } from '@early-access-kit/testkit/smtp-server';
import { expect } from '@playwright/test';

/** Patterns of the tokens of links in emails, by the text before them. */
export const LINKS = {
  signIn: '/admin#token=',
  confirm: '/confirm#token=',
  unsubscribe: '/unsubscribe?token=',
  status: '/status#token=',
  invite: '#invite=',
} as const;

/** Waits for email number `index` to an address, by default the first, and returns the token of a link in it. */
export async function receiveToken(
  mailbox: MailServer,
  address: string,
  link: keyof typeof LINKS,
  index = 0,
): Promise<string> {
  await expect.poll(() => mailbox.mailsTo(address).length).toBeGreaterThan(index);
  // Long lines are folded, and "=" is written as "=3D".
  const source = (mailbox.mailsTo(address)[index]?.source ?? '').replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  const start = source.indexOf(LINKS[link]);
  return start === -1 ? '' : source.slice(start + LINKS[link].length).slice(0, 43);
}
