import { sha256, shortDigest } from '../access/secrets.ts';

const GMAIL_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com'];

/**
 * Returns the mailbox that a normalized address delivers to, without a sub-address (`ada+news@` becomes `ada@`). Gmail
 * ignores dots and has two domains for the same mailbox. Only for comparisons: never send to it.
 */
export function normalizeMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  // A local part that starts with a plus sign has no name before it, so the plus sign is part of the name.
  const name = /^.[^+]*/.exec(local)?.[0] ?? '';
  return GMAIL_DOMAINS.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/**
 * SHA-256 of a normalized address's mailbox, in hexadecimal. Stores count messages by this key, so that they do not
 * store the address again.
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
