import { clientKey } from '@early-access-kit/backend';
import type { Context } from 'hono';
import { readBody } from './body.ts';
import { Failure } from './failure.ts';
import type { OriginPolicy } from './origins.ts';
import type { Throttle } from './throttle.ts';

/** What of Hono's Node server is used of each request; nothing is there where a test calls the handler itself. */
export interface AppEnv {
  Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } };
}
export type AppContext = Context<AppEnv>;

/** Everything that a write has to pass before its body is looked at. */
export interface Gate {
  /** What the client is counted by. */
  clientOf(c: AppContext): string;
  /** The body's text. Throws a `Failure` where the page, the client's budget, the content type or the body is refused, in this order. */
  admit(c: AppContext, budget: Throttle, types: readonly string[]): Promise<string>;
}

export function gate({ origins, trustProxy }: { origins: OriginPolicy; trustProxy: number }): Gate {
  function clientOf(c: AppContext): string {
    const remoteAddress = c.env?.incoming?.socket.remoteAddress;
    const forwardedFor = trustProxy > 0 ? c.req.header('x-forwarded-for') : undefined;
    return clientKey({ remoteAddress, forwardedFor }, trustProxy);
  }
  return {
    clientOf,
    async admit(c, budget, types) {
      if (origins.judge(c.req.header('origin'), c.req.header('host')) === 'foreign') {
        throw new Failure(403, 'forbidden', 'pages of this origin may not write here');
      }
      spend(budget, clientOf(c));
      const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!types.includes(type)) throw new Failure(415, 'invalid', `the body must be ${types.join(' or ')}`);
      return readBody(c.req.raw);
    },
  };
}

/** Takes a token from the budget. Throws a `Failure` with code `rate-limited` where there is none. */
export function spend(budget: Throttle, key: string): void {
  rejectIfWaiting(budget.take(key));
}

export function rejectIfWaiting(retryAfter: number): void {
  if (retryAfter > 0) throw new Failure(429, 'rate-limited', 'too many requests', { retryAfter });
}
