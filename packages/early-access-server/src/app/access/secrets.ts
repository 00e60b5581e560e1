import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** In characters. Admins choose these keys, and shorter ones could be guessed. */
export const SHORTEST_KEY = 32;

/** Returns 256 random bits for a link or a cookie. Store only its `hashToken`. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether the text has the format of a token. Anything else is neither hashed nor looked up. */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/**
 * The unsubscribe token of the email that contains this status page token. It appears in headers and in URLs, which get
 * logged, so the status token must not be computable from it.
 */
export function toUnsubscribeToken(statusToken: string): string {
  return createHash('sha256').update(`unsubscribe ${statusToken}`).digest('base64url');
}

export function hashToken(token: string): string {
  return sha256(token);
}

/** The prefix by which people and secret scanners recognize an API key. */
const KEY_PREFIX = 'eak_';

export function newApiKey(): string {
  return KEY_PREFIX + newToken();
}

/** Returns whether the text has the format of an API key. Anything else is neither hashed nor looked up. */
export function isApiKey(text: string): boolean {
  return text.startsWith(KEY_PREFIX) && isToken(text.slice(KEY_PREFIX.length));
}

/** Returns hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The beginning of a SHA-256 hash. It distinguishes values, but is too short to identify them. */
export function shortDigest(text: string): string {
  return sha256(text).slice(0, 4);
}

/** Compares digests of equal length, so that the time taken reveals nothing about either text. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** A digest that nobody can compute or guess without the secret. Returns hexadecimal digits. */
export function keyedDigest(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with a key from `keyedDigest`. */
export function seal(text: string, digest: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(digest, 'hex'), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Decrypts a text from `seal`. Throws if the digest is a different one. */
export function unseal(sealed: string, digest: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, Buffer.from(digest, 'hex'), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
