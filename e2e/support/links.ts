import type { MailServer } from '@early-access-kit/testkit/smtp-server';

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
  const { text = '' } = await mailbox.waitForMail(address, index);
  const start = text.indexOf(LINKS[link]);
  return start === -1 ? '' : text.slice(start + LINKS[link].length).slice(0, 43);
}
