import { sha256, shortDigest } from '../access/secrets.ts';

const GMAIL_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox that a normalised address delivers to: the address without its sub-address (`ada+news@` is `ada@`). Gmail
 * ignores dots and has two domains for one mailbox. For comparing only: never send to it.
 */
export function normalizeMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  // A local part that starts with a plus sign has no mailbox name before it.
  const name = /^.[^+]*/.exec(local)?.[0] ?? '';
  return GMAIL_DOMAINS.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/**
 * SHA-256 of the mailbox of a normalised address, in hexadecimal. Stores count messages by this, so that it repeats no
 * address.
 */
export function mailboxKey(email: string): string {
  return sha256(normalizeMailbox(email));
}

/**
 * The `mailboxKey` of an address that is not its own mailbox, as stores keep it with a person; otherwise null. Most
 * people have none, so that nothing is stored or indexed for them.
 */
export function otherMailboxKey(email: string): string | null {
  return normalizeMailbox(email) === email ? null : mailboxKey(email);
}

export function domainKey(email: string): string {
  return shortDigest(email.slice(email.lastIndexOf('@') + 1));
}
