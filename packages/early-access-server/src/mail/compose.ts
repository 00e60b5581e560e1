import { type Brand, checkBrand } from '../app/brand.ts';
import { ConfigError } from '../app/config-error.ts';
import { defaultWelcome } from './default-welcome.ts';
import { senderAddress } from './sender.ts';
import type { MailContent, MailTemplates } from './template.ts';

export interface WelcomeEmail extends MailContent {
  /** A mailbox with or without a name, as configured: `Acme <hello@example.com>`. */
  readonly from: string;
  /** The bare address, as it is stored. */
  readonly to: string;
  /** With angle brackets. The same for every attempt, so that a second copy can be recognised as one. */
  readonly messageId: string;
  /** Besides those that every email has; the transports add `Date`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ComposerOptions {
  /** The sender: `hello@example.com` or `Acme <hello@example.com>`. */
  readonly from: string;
  readonly brand: Brand;
  readonly templates?: MailTemplates | undefined;
}

/** The signup that a welcome email is composed for. */
export interface Addressee {
  readonly email: string;
  /** The same for every attempt of one signup; the Message-ID is made of it. */
  readonly messageKey: string;
}

/**
 * Returns a function that composes the welcome email of a signup. The Message-ID is the same for every attempt, so that a mail program
 * shows a repeated email once; people reply to the sender to be removed. Throws a `ConfigError` for a sender, a brand or a template
 * that cannot be used; no address can make the composer throw.
 */
export function welcomeComposer({ from, brand, templates }: ComposerOptions): (to: Addressee) => WelcomeEmail {
  const sender = senderAddress(from);
  if (sender === null) {
    throw new ConfigError('the sender must look like hello@example.com or Name <hello@example.com>');
  }
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const unsubscribeUrl = headerUrl(`mailto:${sender}?subject=unsubscribe`);
  const checked = checkBrand(brand);
  const url = headerUrl(checked.url);
  const data = { ...checked, url, host: url.replace(/^https?:\/\//, '').replace(/\/$/, ''), unsubscribeUrl };
  const template = templates?.welcome ?? defaultWelcome;
  try {
    template(data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it throws';
    throw new ConfigError(`the template of the welcome email cannot be used: ${reason}`, { cause: error });
  }
  return ({ email, messageKey }) => ({
    from,
    to: email,
    ...template(data),
    messageId: `<${messageKey}@${domain}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      // Suppresses out-of-office replies.
      'Auto-Submitted': 'auto-generated',
    },
  });
}

/** A URL that can be written between angle brackets in a header. */
function headerUrl(value: string): string {
  return new URL(value).href.replace(/[<>\s"]/g, encodeURIComponent);
}
