import * as z from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { CLOSED_REASONS } from '../../../app/signup/list-status.ts';
import { IDEMPOTENCY_HEADER } from '../idempotency.ts';
import type { RouteContext } from '../request-context.ts';
import type { DescribedRoute, ResponseContent } from './route.ts';

const JSON_TYPE = 'application/json';

type Json = Readonly<Record<string, unknown>>;

const FAILURE = z
  .object({
    error: z.object({
      code: z.enum(['invalid', 'forbidden', 'rate-limited', 'unavailable', 'list-closed']),
      message: z.string().describe('What to change, for people who write clients. It repeats nothing that was sent.'),
      text: z
        .string()
        .optional()
        .describe('For the visitor, in their language, if they can correct the problem or the list is closed.'),
      closed: z
        .object({
          reason: z.enum(CLOSED_REASONS),
          is_kept: z.boolean().describe('Whether the address is stored, and signed up once the list opens.'),
          link: z.object({ url: z.string(), text: z.string() }).optional(),
        })
        .optional()
        .describe('With `list-closed`: why, and the page to visit instead.'),
    }),
  })
  .meta({ id: 'Failure' });

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };

/** Failures that many routes have, by status. */
const FAILURES: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: 'Invalid', description: 'The input breaks a rule. The message names the field.' },
  401: { name: 'Unauthorized', description: 'There is no session, or it has ended; or the key is wrong.' },
  403: {
    name: 'Forbidden',
    description: 'Pages of this origin may not use this API, or the address does not belong to an admin.',
  },
  409: { name: 'Conflict', description: 'A request with this `Idempotency-Key` is in progress, or was interrupted.' },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'OtherMediaType', description: 'The body is of another media type.' },
  422: { name: 'OtherRequest', description: 'The `Idempotency-Key` belongs to another request.' },
  429: { name: 'TooManyRequests', description: 'Too many requests. Wait for as many seconds as `Retry-After` says.' },
  500: { name: 'Failed', description: 'The server failed.' },
  503: { name: 'Unavailable', description: 'The database does not respond, or is full.' },
};

/**
 * The OpenAPI 3.1 document of the mounted routes that can be reached, generated from the schemas that parse their
 * input. `sessionCookie` is the name of the admin session cookie.
 */
export function openApiDocument({ routes, isReached, publicUrl }: RouteContext, sessionCookie: string): string {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes.filter(({ path }) => isReached(path))) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: describeOperation(route) };
  }
  return stringify({
    openapi: '3.1.0',
    info: {
      title: 'early-access-server',
      version: packageJson.version,
      description:
        'Signups, sessions, invitations and the data of the dashboard. Text lengths are in UTF-16 code units, as in JavaScript.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl?.origin ?? '/' }],
    tags: TAGS,
    paths,
    components: { securitySchemes: securitySchemes(sessionCookie), responses: commonFailures() },
  });
}

/** Replaces zod schemas with JSON Schemas. Named schemas become components. */
function stringify({ components, ...document }: Json & { readonly components: Json }): string {
  const schemas: Record<string, unknown> = {};
  function describe(_key: string, value: unknown): unknown {
    if (!(value instanceof z.ZodType)) return value;
    // A named schema only becomes a reference inside another one.
    const { properties, $defs } = z.toJSONSchema(z.object({ value }), { io: 'input', override: withoutSafeIntegers });
    Object.assign(schemas, $defs);
    return properties?.value;
  }
  // Components are written last, when all of them have been collected.
  const text = JSON.stringify({ ...document, components: { ...components, schemas } }, describe);
  // zod puts named schemas into `$defs` of the schema that uses them.
  return text.replaceAll('"#/$defs/', '"#/components/schemas/');
}

function describeOperation(route: DescribedRoute): Json {
  const { method, summary, details, isReadOnly, body = EMPTY, bodies = { [JSON_TYPE]: body } } = route;
  return {
    operationId: operationId(route),
    tags: [chooseTag(route)],
    summary,
    description: details,
    ...(isReadOnly && { 'x-read-only': true }),
    security: describeSecurity(route),
    parameters: listParameters(route),
    ...(method === 'post' && { requestBody: { required: true, content: describeTypes(bodies) } }),
    responses: describeResponses(route),
  };
}

function describeResponses(route: DescribedRoute): Json {
  const { responses, refusals = {}, failures = listFailures(route), isPage = false } = route;
  const content = describeTypes(isPage ? { 'text/html': null } : { [JSON_TYPE]: FAILURE });
  const statuses = [...new Set([...failures, ...Object.keys(refusals).map(Number)])];
  return Object.fromEntries([
    ...Object.entries(responses).map(([status, content]) => [status, describeSuccess(content)]),
    ...statuses.map((status) => {
      const { name, description } = FAILURES[status] ?? { name: undefined, description: 'It failed.' };
      return name !== undefined && refusals[status] === undefined && !isPage
        ? [status, { $ref: `#/components/responses/${name}` }]
        : [status, { description: refusals[status] ?? description, content }];
    }),
  ]);
}

function describeSuccess(content: ResponseContent): Json {
  if (content === null) return { description: 'Done.' };
  const types = content instanceof z.ZodType ? { [JSON_TYPE]: content } : content;
  return { description: 'The result.', content: describeTypes(types) };
}

function describeTypes(types: Readonly<Record<string, z.ZodType | null>>): Json {
  return Object.fromEntries(
    Object.entries(types).map(([type, schema]) => [type, { schema: schema ?? { type: 'string' } }]),
  );
}

function commonFailures(): Json {
  return Object.fromEntries(
    Object.entries(FAILURES).map(([status, { name, description }]) => {
      const headers = ['429', '503'].includes(status) ? RETRY_AFTER : undefined;
      return [name, { description, headers, content: describeTypes({ [JSON_TYPE]: FAILURE }) }];
    }),
  );
}

function securitySchemes(sessionCookie: string): Json {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description: 'The session of an admin. Requests from other origins are refused.',
    },
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key with the named scope, for automation. Admins create and revoke keys in the dashboard.',
    },
    metricsKey: { type: 'http', scheme: 'bearer', description: '`METRICS_KEY`, for monitoring.' },
    inviteKey: { type: 'http', scheme: 'bearer', description: '`INVITE_KEY`, for the back end of the product.' },
  };
}

const TAGS = [
  {
    name: 'Visitors',
    description: 'For pages, when a visitor arrives or signs up. No response contains an address.',
  },
  { name: 'Links', description: 'Where links in emails lead.' },
  { name: 'Invitations', description: 'For the back end of the product that people are invited to.' },
  { name: 'Admin', description: 'The data of the dashboard.' },
  { name: 'Server', description: 'Facts about the server.' },
];

function chooseTag({ path, access }: DescribedRoute): string {
  if (access === 'invite-key') return 'Invitations';
  if (path.startsWith('/api/admin/')) return 'Admin';
  if (/^(\/api)?\/(confirm|unsubscribe)/.test(path)) return 'Links';
  return /^\/api\/(brand(\/\w+)?|openapi\.json)$|^\/(healthz|metrics|skill\.md|llms\.txt)$/.test(path)
    ? 'Server'
    : 'Visitors';
}

/** What each kind of caller has to send if it does not use an API key. */
const SCHEMES = {
  public: null,
  session: 'session',
  'invite-key': 'inviteKey',
  'api-key': null,
  'metrics-key': 'metricsKey',
} as const;

function describeSecurity({ access, scopes = [] }: DescribedRoute): readonly Json[] {
  const scheme = SCHEMES[access];
  return [...(scheme === null ? [] : [{ [scheme]: [] }]), ...scopes.map((scope) => ({ apiKey: [scope] }))];
}

function listFailures(route: DescribedRoute): readonly number[] {
  const { method, access, query } = route;
  return [
    ...(isRepeatable(route) ? [409, 422] : []),
    ...(method === 'post' ? [400, 413, 415] : query ? [400] : []),
    ...(access === 'public' ? [] : [401]),
    ...[403, 429, 500, 503],
  ];
}

/** `GET /api/admin/people/:id` becomes `getAdminPeopleId`. */
function operationId({ method, path, isPage }: DescribedRoute): string {
  const words = path.replace(/^\/api\//, '').match(/[A-Za-z0-9]+/g) ?? [];
  return (
    method + [...words, ...(isPage ? ['page'] : [])].map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  );
}

function listParameters(route: DescribedRoute): readonly Json[] {
  const { path, query, header } = route;
  const inQuery = query instanceof z.ZodObject ? Object.entries<z.ZodType>(query.shape) : [];
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: z.string() })),
    ...inQuery.map(([name, schema]) => ({
      name,
      in: 'query',
      required: !schema.safeParse(undefined).success,
      schema,
    })),
    ...(header ? [{ ...header, in: 'header', required: false, schema: z.string() }] : []),
    ...(isRepeatable(route) ? [IDEMPOTENCY_PARAMETER] : []),
  ];
}

const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description:
    'For requests with an API key: a new value for each request, such as a UUID. If the same request comes again within a day, it has no further effect and gets the same response.',
  schema: z.string().min(1).max(255),
};

/** Whether API keys may send the request again with an `Idempotency-Key`. */
function isRepeatable({ method, access, scopes = [], isReadOnly = false }: DescribedRoute): boolean {
  return method === 'post' && !isReadOnly && access === 'session' && scopes.length > 0;
}

/** Routes without input require JSON anyway, because forms on other sites cannot send it. */
const EMPTY = z.looseObject({}).describe('Not used; send `{}`.');

/** Removes the safe-integer bounds that zod adds to every integer. */
function withoutSafeIntegers({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
