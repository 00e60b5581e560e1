import { randomUUID } from 'node:crypto';
import type { Invitation } from '../../app/admin/sign-in-mail.ts';
import { type Brand, checkBrand } from '../../app/brand/brand.ts';
import { fontFile, markFile } from '../../app/brand/brand-files.ts';
import { ConfigError } from '../../app/config-error.ts';
import type { Email, MailContent } from '../../app/ports/mail-transport.ts';
import { formatMailbox, type Mailbox, parseMailbox } from '../address.ts';
import { defaultSignIn, invitationMail, testMail } from '../templates/admin-emails.ts';
import type { MailTemplate, MailTemplates } from '../templates/template.ts';

export interface ComposerOptions {
  /** The sender: `hello@example.com` or `Acme <hello@example.com>`. */
  readonly from: string;
  readonly brand: Brand;
  /**
   * Base URL of this application's pages. Without it, emails ask people to reply to unsubscribe and show no mark, and
   * messages that need a link to a page throw.
   */
  readonly siteUrl?: string | undefined;
  readonly templates?: MailTemplates | undefined;
}

const EXAMPLE_URL = 'https://www.example.com/';

/** Composes emails to admins that are sent immediately. Throws a `ConfigError` for invalid options or templates. */
export function adminComposer(options: ComposerOptions) {
  const { from, brand, address } = senderAndBrand(options);
  const { templates } = options;
  const signIn = checked('sign-in email', templates?.signIn ?? defaultSignIn, {
    ...brand,
    link: EXAMPLE_URL,
    minutes: 1,
  });
  const email = (to: string, content: MailContent): Email => ({
    from,
    to,
    ...content,
    messageId: address(randomUUID()),
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  return {
    /** The sign-in link. With an invitation for someone who has never signed in. */
    signIn(to: string, link: string, minutes: number, invitation: Invitation | null = null) {
      const data = { ...brand, link, minutes };
      return email(to, invitation === null ? signIn(data) : invitationMail(data, invitation));
    },
    test: (to: string) => email(to, testMail(brand)),
  };
}

/** The sender and brand in normalized form, and a function that creates the Message-ID for a key. */
export function senderAndBrand({ from, brand, siteUrl }: ComposerOptions) {
  const mailbox = checkedMailbox(from);
  const sender = mailbox.address;
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const inOrder = checkBrand(brand);
  const url = headerUrl(inOrder.url);
  const host = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  const [mark, font] = [markFile(inOrder), fontFile(inOrder)];
  const files = {
    ...(mark?.type === 'image/png' && siteUrl !== undefined && { markUrl: new URL(mark.path, siteUrl).href }),
    ...(font && siteUrl !== undefined && { fontUrl: new URL(font.path, siteUrl).href, fontWeights: font.weights }),
  };
  return {
    from: formatMailbox(mailbox),
    sender,
    domain,
    brand: { ...inOrder, ...files, url, host },
    address: (key: string) => `<${key}@${domain}>`,
  };
}

/** Parses the sender or reply-to mailbox. Throws a `ConfigError` if it is invalid. */
export function checkedMailbox(text: string): Mailbox {
  const mailbox = parseMailbox(text);
  if (mailbox !== null) return mailbox;
  throw new ConfigError(
    'the sender, and the address for replies, must look like hello@example.com or Name <hello@example.com>',
  );
}

/** Returns the template after testing it with this data. */
export function checked<Data>(name: string, template: MailTemplate<Data>, data: NoInfer<Data>): MailTemplate<Data> {
  try {
    template(data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it throws';
    throw new ConfigError(`the template of the ${name} cannot be used: ${reason}`, { cause: error });
  }
  return template;
}

/** A line break would end the header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Returns a URL that is safe between angle brackets in a header. */
export function headerUrl(value: string): string {
  return new URL(value).href.replace(/[<>\s"]/g, encodeURIComponent);
}
