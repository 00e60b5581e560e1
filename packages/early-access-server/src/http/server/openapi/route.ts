import type * as z from 'zod';
import type { ApiScope } from '../../../app/access/api-keys.ts';

/** Who may call a route. `session`: a signed-in admin. `invite-key`: the host's back end, with `INVITE_KEY`. */
type Access = 'public' | 'session' | 'invite-key';

/** JSON of a schema; null: no body; or other media types with their schemas, null for any text. */
export type ResponseContent = z.ZodType | null | Readonly<Record<string, z.ZodType | null>>;

/** What a route takes and returns. The route parses its input with these schemas, and the OpenAPI document is made of them. */
export interface RouteDescription<Query = unknown, Body = unknown> {
  /** One sentence that says what the route does. */
  readonly summary: string;
  /** What one sentence cannot say. Markdown. */
  readonly details?: string;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Successful responses by status. */
  readonly responses: Readonly<Record<number, ResponseContent>>;
  /** What a status such as 404 or 409 means here. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** A route as it is mounted. */
export interface DescribedRoute extends RouteDescription {
  readonly method: 'get' | 'post';
  /** As the router has it: `/api/admin/people/:id`. */
  readonly path: string;
  readonly access: Access;
  /** API keys with this scope may call the route, too. */
  readonly scope?: ApiScope;
  /** What the body may be, by media type; null for any text. JSON of `body` by default. */
  readonly bodies?: Readonly<Record<string, z.ZodType | null>>;
  /** Statuses of failures. By default those of a route with this method and access. */
  readonly failures?: readonly number[];
  /** Whether failures are pages for people. By default they are JSON. */
  readonly isPage?: boolean;
}
