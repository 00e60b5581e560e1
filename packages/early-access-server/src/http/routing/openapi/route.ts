import type * as z from 'zod';
import type { ApiScope } from '../../../app/access/api-keys.ts';

/**
 * Who may call a route. `session`: a signed-in admin. `invite-key`: the host's back end, with `INVITE_KEY`. `api-key`:
 * API keys only. `metrics-key`: monitoring, with `METRICS_KEY`.
 */
type Access = 'public' | 'session' | 'invite-key' | 'api-key' | 'metrics-key';

/** A schema for JSON; null for no body; or schemas by media type, where null stands for any text. */
export type ResponseContent = z.ZodType | null | Readonly<Record<string, z.ZodType | null>>;

/** The input and output of a route. These schemas parse its input and generate its part of the OpenAPI document. */
export interface RouteDescription {
  /** One sentence that says what the route does. */
  readonly summary: string;
  /** Markdown with everything else. */
  readonly details?: string;
  readonly query?: z.ZodType | undefined;
  /** A request header that the route reads itself. */
  readonly header?: { readonly name: string; readonly description: string };
  readonly body?: z.ZodType;
  readonly responses: Readonly<Record<number, ResponseContent>>;
  /** What a status such as 404 or 409 means for this route. */
  readonly refusals?: Readonly<Record<number, string>>;
}

export interface DescribedRoute extends RouteDescription {
  readonly method: 'get' | 'post';
  /** In the router's notation: `/api/admin/people/:id`. */
  readonly path: string;
  readonly access: Access;
  /** API keys with one of these scopes may call the route as well. */
  readonly scopes?: readonly ApiScope[];
  /** The body's media types; null for any text. Default: JSON of `body`. */
  readonly bodies?: Readonly<Record<string, z.ZodType | null>>;
  /** Statuses of failures. The default depends on the route's method and access. */
  readonly failures?: readonly number[];
  /** True for a POST that changes nothing. */
  readonly isReadOnly?: boolean;
  /** True if failures are HTML pages. By default they are JSON. */
  readonly isPage?: boolean;
}
