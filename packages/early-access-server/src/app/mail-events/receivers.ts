import { MAIL_PROVIDERS, type MailEvent, type MailProvider, PARSE_MAIL_EVENTS } from './mail-event.ts';
import { type FetchText, snsReader } from './sns.ts';
import { hasSharedSecret, readMailgunToken, svixCheck } from './verify.ts';

/** The secret of each provider whose reports are accepted. The other providers are off. */
export interface MailEventOptions {
  /** The ARN of the topic of Amazon SNS that Amazon SES publishes to. */
  readonly ses?: string | null;
  /** The password in the webhook's URL. */
  readonly postmark?: string | null;
  /** The signing secret of the webhook: `whsec_…`. */
  readonly resend?: string | null;
  /** The webhook signing key of the account. */
  readonly mailgun?: string | null;
  /** The password in the webhook's URL, or its bearer token. */
  readonly brevo?: string | null;
  /** Reads the certificates of Amazon SNS, and confirms the subscription, instead of `fetch`. */
  readonly fetchText?: FetchText | undefined;
}

/** A provider's request. */
interface MailReport {
  readonly headers: Headers;
  /** The body as it was sent, and its JSON. */
  readonly text: string;
  readonly body: unknown;
  readonly now: number;
  /** Awaited before anything is fetched for a request that is not known to be genuine. */
  readonly beforeFetch: () => Promise<void>;
}

interface GenuineReport {
  readonly events: readonly MailEvent[];
  /** If it is not null, only the first request with this token may be accepted. */
  readonly token: string | null;
}

/** Returns null if the request is not genuine. */
type MailReceiver = (report: MailReport) => Promise<GenuineReport | null>;

/** Makes the receivers of the providers that are on, by their names. Throws a `ConfigError` if a secret cannot be used. */
export function mailReceivers(options: MailEventOptions): ReadonlyMap<string, MailReceiver> {
  return new Map(
    MAIL_PROVIDERS.flatMap((provider) => {
      const secret = options[provider];
      return secret ? [[provider, createReceiver(provider, secret, options.fetchText ?? fetchText)] as const] : [];
    }),
  );
}

function createReceiver(provider: MailProvider, secret: string, fetchText: FetchText): MailReceiver {
  const parse = PARSE_MAIL_EVENTS[provider];
  const accept = (isGenuine: boolean, body: unknown) => (isGenuine ? { events: parse(body), token: null } : null);
  switch (provider) {
    case 'postmark':
    case 'brevo':
      return async ({ headers, body }) => accept(hasSharedSecret(headers, secret), body);
    case 'resend': {
      const isSigned = svixCheck(secret);
      return async ({ headers, text, body }) => accept(isSigned(headers, text), body);
    }
    case 'mailgun':
      return async ({ body, now }) => {
        const token = readMailgunToken(body, secret, now);
        return token === null ? null : { events: parse(body), token };
      };
    case 'ses': {
      const read = snsReader(secret, fetchText);
      return async ({ body, beforeFetch }) => {
        const message = await read(body, beforeFetch);
        return message === null ? null : { events: parse(parseJson(message)), token: null };
      };
    }
  }
}

/** Undefined for text that is not JSON, such as the one with which SES tries a topic. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FETCH_MS = 5_000;

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
  if (!response.ok) throw new Error(`it responded ${response.status}`);
  return response.text();
}
