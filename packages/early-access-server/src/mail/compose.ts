import { toHtml } from './html.ts';
import { toText } from './text.ts';
import { SUBJECT } from './words.ts';

export interface WelcomeEmail {
  /** A mailbox with or without a name, as configured: `PrintMargin <hello@printmargin.example>`. */
  readonly from: string;
  /** The bare address, as it is stored. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With angle brackets. The same for every attempt, so that a second copy can be recognised as one. */
  readonly messageId: string;
  /** Besides those that every mail has; the transports add `Date`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface WelcomeOptions {
  readonly to: string;
  readonly from: string;
  /** With angle brackets, the same whenever this sign-up's email is composed. */
  readonly messageId: string;
  /** The landing page, http or https. */
  readonly siteUrl: string;
  /** Where people ask to be removed: a `mailto:` or `https:` URL. */
  readonly unsubscribe: string;
}

/** Throws a `TypeError` where an URL or the message id is not one: no address, and nothing of it, can do that. */
export function composeWelcomeEmail({ to, from, messageId, siteUrl, unsubscribe }: WelcomeOptions): WelcomeEmail {
  if (!/^<[^\s<>@]+@[^\s<>@]+>$/.test(messageId)) throw new TypeError('messageId must look like <id@domain>');
  const links = {
    site: checkedUrl(siteUrl, ['http:', 'https:']),
    removal: checkedUrl(unsubscribe, ['mailto:', 'https:', 'http:']),
  };
  return {
    from,
    to,
    subject: SUBJECT,
    text: toText(links),
    html: toHtml(links),
    messageId,
    headers: {
      'List-Unsubscribe': `<${links.removal}>`,
      // Keeps out-of-office replies from answering it.
      'Auto-Submitted': 'auto-generated',
    },
  };
}

/** An URL that can stand between angle brackets in a header; a line break in it is dropped by the parser. */
function checkedUrl(value: string, protocols: readonly string[]): string {
  const url = new URL(value);
  if (!protocols.includes(url.protocol)) throw new TypeError(`the URL must start with ${protocols.join(' or ')}`);
  return url.href.replace(/[<>\s"]/g, encodeURIComponent);
}
