import type { Context } from 'hono';
import { type ClientNetwork, clientNetworks } from '../app/access/client-networks.ts';
import { type OriginPolicy, originRefusal } from '../app/access/origins.ts';
import type { RateLimits } from '../app/access/rate-limits.ts';
import { type RateLimiter, usesOf } from '../app/access/rate-limits.ts';
import { readBody } from './body.ts';
import { Failure } from './failure.ts';

/** What of Hono's Node server is used of each request; nothing is there where a test calls the handler itself. */
export interface AppEnv {
  Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } };
}
export type AppContext = Context<AppEnv>;

/** Everything that a write has to pass before its body is looked at. */
export interface Gate {
  /** What the client is counted by. */
  clientOf(c: AppContext): readonly ClientNetwork[];
  /** Throws a `Failure` for a page of a foreign origin. */
  checkOrigin(c: AppContext): void;
  /** The body's text. Throws if the page, the client's limit, the content type or the body is refused, in this order. */
  admit(c: AppContext, limit: keyof RateLimits, types: readonly string[]): Promise<string>;
}

export interface GateOptions {
  readonly origins: OriginPolicy;
  readonly onForeignOrigin: (origin: string | undefined) => void;
  readonly limiter: RateLimiter<keyof RateLimits>;
  readonly trustProxy: number;
}

export function gate({ origins, onForeignOrigin, limiter, trustProxy }: GateOptions): Gate {
  function clientOf(c: AppContext): readonly ClientNetwork[] {
    const remoteAddress = c.env?.incoming?.socket.remoteAddress;
    const forwardedFor = trustProxy > 0 ? c.req.header('x-forwarded-for') : undefined;
    return clientNetworks({ remoteAddress, forwardedFor }, trustProxy);
  }

  function checkOrigin(c: AppContext): void {
    const origin = c.req.header('origin');
    if (origins.judge(origin, c.req.header('host')) !== 'foreign') return;
    onForeignOrigin(origin);
    throw new Failure(403, 'forbidden', originRefusal(origin).message);
  }

  return {
    clientOf,
    checkOrigin,
    async admit(c, limit, types) {
      checkOrigin(c);
      await limiter.take(usesOf(limit, clientOf(c)));
      const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!types.includes(type)) throw new Failure(415, 'invalid', `the body must be ${types.join(' or ')}`);
      return readBody(c.req.raw);
    },
  };
}
