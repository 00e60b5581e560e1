import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveHttp } from './http-server.ts';

/** The only secret that the verifier accepts. */
export const VERIFIER_SECRET = 'secret-of-the-local-verifier';

/** The page of the widget that created a token. The verifier reports it to the server. */
export interface WidgetPage {
  readonly hostname?: string;
  readonly action?: string;
}

export interface HumanVerifier {
  readonly origin: string;
  /** URL of a `siteverify` endpoint with Turnstile's protocol. */
  readonly turnstileUrl: string;
  /** URL of a `siteverify` endpoint with hCaptcha's protocol. */
  readonly hcaptchaUrl: string;
  /** Returns a new token that is valid once, like a widget. Pages of any origin get one with `GET /token`. */
  issue(page?: WidgetPage): string;
  /** The forms of all verifications so far, in order. */
  readonly requests: readonly URLSearchParams[];
  /** Closes every connection without a response. */
  isDown: boolean;
  /** Accepts tokens repeatedly, so that only the server itself can reject a second use. */
  isForgetful: boolean;
  close(): Promise<void>;
}

/** The verifiers' error codes for a used token. */
const USED = { '/turnstile/siteverify': 'timeout-or-duplicate', '/hcaptcha/siteverify': 'already-seen-response' };

/** Starts a local verifier of human checks on a free loopback port. */
export async function startHumanVerifier(): Promise<HumanVerifier> {
  /** Issued tokens, with the idempotency key of their first use. */
  const tokens = new Map<string, string | null>();
  const pages = new Map<string, WidgetPage>();
  const requests: URLSearchParams[] = [];

  function issue(page: WidgetPage = { hostname: 'localhost' }): string {
    const token = `human.${randomUUID()}`;
    tokens.set(token, null);
    pages.set(token, page);
    return token;
  }

  /** Returns the error of a verification; null if it succeeds. */
  function findError(form: URLSearchParams, usedCode: string): string | null {
    const [secret, token] = [form.get('secret'), form.get('response')];
    if (!secret) return 'missing-input-secret';
    if (secret !== VERIFIER_SECRET) return 'invalid-input-secret';
    if (!token) return 'missing-input-response';
    const first = tokens.get(token);
    if (first === undefined) return 'invalid-input-response';
    const use = form.get('idempotency_key') ?? randomUUID();
    if (first !== null && first !== use && !verifier.isForgetful) return usedCode;
    tokens.set(token, use);
    return null;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (verifier.isDown) return void request.socket.destroy();
    const headers = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' };
    if (request.method === 'GET' && request.url === '/token') {
      response
        .writeHead(200, headers)
        .end(JSON.stringify({ token: issue({ hostname: new URL(request.headers.origin ?? origin).hostname }) }));
      return;
    }
    const usedCode = Object.entries(USED).find(([path]) => path === request.url)?.[1];
    if (request.method !== 'POST' || usedCode === undefined) return void response.writeHead(404).end();
    const form = new URLSearchParams(await text(request));
    requests.push(form);
    const error = findError(form, usedCode);
    const page = error === null ? pages.get(form.get('response') ?? '') : undefined;
    const result = { success: error === null, 'error-codes': error === null ? [] : [error], ...page };
    response.writeHead(200, headers).end(JSON.stringify(result));
  }

  const { origin, close } = await serveHttp((request, response) => void respond(request, response));
  const verifier: HumanVerifier = {
    origin,
    turnstileUrl: `${origin}/turnstile/siteverify`,
    hcaptchaUrl: `${origin}/hcaptcha/siteverify`,
    issue,
    requests,
    isDown: false,
    isForgetful: false,
    close,
  };
  return verifier;
}
