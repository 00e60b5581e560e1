import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { isSameSecret } from '../access/secrets.ts';
import { ConfigError } from '../config-error.ts';
import { readField, readString } from '../text/read-field.ts';

/**
 * For providers that do not sign requests: returns whether the secret is the bearer token or the basic authentication
 * password, with any user name.
 */
export function hasSharedSecret(headers: Headers, secret: string): boolean {
  const [, scheme = '', given = ''] = /^(Basic|Bearer) +(\S{1,1024})$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (scheme.toLowerCase() !== 'basic') return isSameSecret(given, secret);
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(given, 'base64').toString()) ?? [];
  return isSameSecret(password, secret);
}

/**
 * Creates a check for Svix signatures, which are valid for five minutes. Throws a `ConfigError` for an invalid secret.
 */
export function svixCheck(secret: string): (headers: Headers, text: string) => boolean {
  const webhook = createWebhook(secret);
  return (headers, text) => {
    const names = ['id', 'timestamp', 'signature'];
    const signed = Object.fromEntries(names.map((name) => [`webhook-${name}`, headers.get(`svix-${name}`) ?? '']));
    try {
      webhook.verify(text, signed, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  };
}

function createWebhook(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new ConfigError('mailEvents.resend must be the signing secret that Resend shows, starting with whsec_');
  }
}

/** How far a signature's time may be off. Mailgun repeats a request for eight hours. */
const MAILGUN_WINDOW_MS = 9 * 3_600_000;

/**
 * Verifies a Mailgun request and returns its token, or null if it is not genuine. The signature only covers the time
 * and the token, so the caller must accept each token only once.
 */
export function readMailgunToken(body: unknown, key: string, now: number): string | null {
  const signed = readField(body, 'signature');
  const [timestamp, token] = [readString(signed, 'timestamp'), readString(signed, 'token')];
  if (!/^\d{1,12}$/.test(timestamp) || !/^\w{16,128}$/.test(token)) return null;
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
  const isFresh = Math.abs(now - Number(timestamp) * 1_000) <= MAILGUN_WINDOW_MS;
  return isSameSecret(readString(signed, 'signature'), expected) && isFresh ? token : null;
}
