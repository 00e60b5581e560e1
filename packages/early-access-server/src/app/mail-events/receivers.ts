import { StorageError } from 'early-access-kit/core';
import { readJson } from '../access/read-json.ts';
import { MAIL_PROVIDERS, type MailEvent, type MailProvider, PARSE_MAIL_EVENTS } from './mail-event.ts';
import { type FetchText, snsReader } from './sns.ts';
import { hasSharedSecret, readMailgunToken, svixCheck } from './verify.ts';

/** The secret for each provider whose reports are accepted. Providers without one are off. */
export interface MailEventOptions {
  /** The ARN of the Amazon SNS topic that SES publishes to. */
  readonly ses?: string | null;
  /** The password in the webhook's URL. */
  readonly postmark?: string | null;
  /** The webhook's signing secret: `whsec_…`. */
  readonly resend?: string | null;
  /** The account's webhook signing key. */
  readonly mailgun?: string | null;
  /** The password in the webhook's URL, or its bearer token. */
  readonly brevo?: string | null;
  /** Used instead of `fetch` to read Amazon SNS certificates and to confirm the subscription. */
  readonly fetchText?: FetchText | undefined;
}

interface MailReport {
  readonly headers: Headers;
  /** The body as received. */
  readonly text: string;
  readonly now: number;
}

interface GenuineReport {
  readonly events: readonly MailEvent[];
  /** If it is not null, only the first request with this token may be accepted. */
  readonly token: string | null;
}

export interface MailReceiver {
  /** Returns whether the headers prove that a request is genuine. Absent: that depends on the body. */
  readonly isSender?: (headers: Headers) => boolean;
  /**
   * Returns null if the request is not genuine. Parses the body only after verification, unless the signature is in its
   * JSON.
   */
  readonly receive: (report: MailReport) => Promise<GenuineReport | null>;
}

/** Creates the receivers of the enabled providers, by name. Throws a `ConfigError` if a secret is invalid. */
export function mailReceivers(options: MailEventOptions): ReadonlyMap<string, MailReceiver> {
  return new Map(
    MAIL_PROVIDERS.flatMap((provider) => {
      const secret = options[provider];
      return secret ? [[provider, createReceiver(provider, secret, options.fetchText ?? fetchText)] as const] : [];
    }),
  );
}

function createReceiver(provider: MailProvider, secret: string, fetchText: FetchText): MailReceiver {
  const parseBody = PARSE_MAIL_EVENTS[provider];
  function parse(text: string): readonly MailEvent[] {
    const body = readJson(text);
    if (body === undefined) throw new StorageError('invalid', 'the body must be JSON');
    return parseBody(body);
  }
  switch (provider) {
    case 'postmark':
    case 'brevo':
      return {
        isSender: (headers) => hasSharedSecret(headers, secret),
        receive: async ({ text }) => ({ events: parse(text), token: null }),
      };
    case 'resend': {
      const isSigned = svixCheck(secret);
      return {
        receive: async ({ headers, text }) => (isSigned(headers, text) ? { events: parse(text), token: null } : null),
      };
    }
    case 'mailgun':
      return {
        async receive({ text, now }) {
          const token = readMailgunToken(readJson(text), secret, now);
          return token === null ? null : { events: parse(text), token };
        },
      };
    case 'ses': {
      const read = snsReader(secret, fetchText);
      return {
        async receive({ text }) {
          const message = await read(readJson(text));
          // SES sends a test notification whose text is not JSON.
          return message === null ? null : { events: parseBody(readJson(message)), token: null };
        },
      };
    }
  }
}

const FETCH_MS = 5_000;

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
  if (!response.ok) throw new Error(`it responded ${response.status}`);
  return response.text();
}
