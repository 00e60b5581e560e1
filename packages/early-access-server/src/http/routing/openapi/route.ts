import type * as z from 'zod';
import type { ApiScope } from '../../../app/access/api-keys.ts';

/**
 * Who may call a route. `session`: a signed-in admin. `invite-key`: the host's back end, with `INVITE_KEY`. `api-key`:
 * API keys only. `metrics-key`: monitoring, with `METRICS_KEY`.
 */
type Access = 'public' | 'session' | 'invite-key' | 'api-key' | 'metrics-key';

/** JSON of a schema; null: no body; or other media types with their schemas, null for any text. */
export type ResponseContent = z.ZodType | null | Readonly<Record<string, z.ZodType | null>>;

/**
 * The input and output of a route. The route parses its input with these schemas, and the OpenAPI document is made of
 * them.
 */
export interface RouteDescription {
  /** One sentence that says what the route does. */
  readonly summary: string;
  /** Markdown for everything that one sentence cannot say. */
  readonly details?: string;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType;
  /** Successful responses by status. */
  readonly responses: Readonly<Record<number, ResponseContent>>;
  /** The meaning of a status such as 404 or 409 here. */
  readonly refusals?: Readonly<Record<number, string>>;
}

export interface DescribedRoute extends RouteDescription {
  readonly method: 'get' | 'post';
  /** As the router has it: `/api/admin/people/:id`. */
  readonly path: string;
  readonly access: Access;
  /** API keys with one of these scopes may call the route, too. */
  readonly scopes?: readonly ApiScope[];
  /** The types of the body, by media type; null for any text. JSON of `body` by default. */
  readonly bodies?: Readonly<Record<string, z.ZodType | null>>;
  /** Statuses of failures. The default depends on the route's method and access. */
  readonly failures?: readonly number[];
  /** Whether a POST changes nothing. */
  readonly isReadOnly?: boolean;
  /** Whether failures are pages for people. By default they are JSON. */
  readonly isPage?: boolean;
}
