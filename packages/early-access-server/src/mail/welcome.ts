import { composeWelcomeEmail, type WelcomeEmail } from './compose.ts';
import { senderAddress } from './sender.ts';

/** For whom a welcome email is composed. */
export interface Addressee {
  readonly email: string;
  /** The same for every attempt of one sign-up; the Message-ID is made of it. */
  readonly messageKey: string;
}

/**
 * Makes what composes the welcome email of a sign-up. Its Message-ID is the same for every attempt, so that a mail program
 * shows a repeated one once; who wants to be removed answers to the sender. Throws a `TypeError` for a `from` that is no sender.
 */
export function welcomeComposer(from: string, siteUrl: string): (to: Addressee) => WelcomeEmail {
  const sender = senderAddress(from);
  if (sender === null) throw new TypeError('the sender must look like hello@example.com or Name <hello@example.com>');
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return ({ email, messageKey }) =>
    composeWelcomeEmail({
      to: email,
      from,
      siteUrl,
      messageId: `<${messageKey}@${domain}>`,
      unsubscribe: `mailto:${sender}?subject=unsubscribe`,
    });
}
