import type { OriginPolicy } from '../app/access/origins.ts';
import type { RateLimiter, RateLimits } from '../app/access/rate-limits.ts';
import type { Store } from '../stores/sqlite/store.ts';
import type { Failure } from './failure.ts';
import type { AppContext, Gate } from './gate.ts';

/** What `createApp` is given to store with; the whole of a `Store` that routes use. */
export type RequestStore = Pick<Store, 'createSignup' | 'startSession' | 'updateSession' | 'readSummary' | 'ping'>;

/** Told when there may be mail to send. */
export interface Mailer {
  wake(): void;
}

/** What the routes share. */
export interface RouteTools {
  readonly store: RequestStore;
  readonly mailer: Mailer;
  readonly gate: Gate;
  readonly origins: OriginPolicy;
  readonly limiter: RateLimiter<keyof RateLimits>;
  readonly adminEmail: string | null;
  /** Logs a failure that is the server's own. */
  report(failure: Failure, c: AppContext): void;
}
