import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Shorter keys, which admins choose, could be guessed. In characters. */
export const SHORTEST_KEY = 32;

/** 256 random bits, for a link or a cookie. Only `hashToken` of it may be stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether the text has the form of a token, so that nothing else is hashed or looked up. */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/**
 * The token to unsubscribe, of the email with this token of the status page. It is in URLs, which are logged, and in
 * headers. No one can compute the other token from it.
 */
export function toUnsubscribeToken(statusToken: string): string {
  return createHash('sha256').update(`unsubscribe ${statusToken}`).digest('base64url');
}

export function hashToken(token: string): string {
  return sha256(token);
}

/** The prefix of an API key, by which people and secret scanners recognise it. */
const KEY_PREFIX = 'eak_';

export function newApiKey(): string {
  return KEY_PREFIX + newToken();
}

/** Whether the text has the form of a key, so that nothing else is hashed or looked up. */
export function isApiKey(text: string): boolean {
  return text.startsWith(KEY_PREFIX) && isToken(text.slice(KEY_PREFIX.length));
}

/** Returns hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The beginning of a SHA-256: tells two values apart, and is too short to tell what they are. */
export function shortDigest(text: string): string {
  return sha256(text).slice(0, 4);
}

/** Compares digests of equal length, so that the time tells nothing about either text. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** A digest that no one can make or guess without the secret. Returns hexadecimal digits. */
export function keyedDigest(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with a digest of `keyedDigest`. */
export function seal(text: string, digest: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(digest, 'hex'), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Returns the text that `seal` encrypted. Throws if the digest is another one. */
export function unseal(sealed: string, digest: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, Buffer.from(digest, 'hex'), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
