import * as z from 'zod';
import type { DescribedRoute, ResponseContent } from './route.ts';

const JSON_TYPE = 'application/json';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentOptions {
  readonly version: string;
  /** Where the server is; `/` if it does not know. */
  readonly url: string;
  /** The name of the cookie of an admin's session. */
  readonly sessionCookie: string;
}

const FAILURE = z
  .object({
    error: z.object({
      code: z.enum(['invalid', 'forbidden', 'rate-limited', 'unavailable']),
      message: z.string().describe('What to change, for people who write clients. It repeats nothing that was sent.'),
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
    description: 'Pages of this origin may not call here, or the address is not the one of an admin.',
  },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'OtherMediaType', description: 'The body is of another media type.' },
  429: { name: 'TooManyRequests', description: 'Too many requests. Wait for as many seconds as `Retry-After` says.' },
  500: { name: 'Failed', description: 'The server failed.' },
  503: { name: 'Unavailable', description: 'The database does not respond, or has no room.' },
};

/** Schemas with a name, which others refer to. They are collected while the document is made. */
type NamedSchemas = Record<string, unknown>;

/** The OpenAPI 3.1 document of these routes, made of the schemas that they parse their input with. */
export function openApiDocument(routes: readonly DescribedRoute[], { version, url, sessionCookie }: DocumentOptions) {
  const schemas: NamedSchemas = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: describeOperation(route, schemas) };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'early-access-server',
      version,
      description:
        'Signups, sessions, invitations and the data of the dashboard. Lengths of text count UTF-16 code units, as in JavaScript.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: securitySchemes(sessionCookie),
      responses: commonFailures(schemas),
      schemas,
    },
  };
  // Within one schema, zod puts the schemas with a name beside it.
  return JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/');
}

function describeOperation(route: DescribedRoute, schemas: NamedSchemas): Json {
  const { method, path, summary, details, body = EMPTY, bodies = { [JSON_TYPE]: body } } = route;
  return {
    operationId: operationId(route),
    tags: [chooseTag(route)],
    summary,
    ...(details !== undefined && { description: details }),
    security: describeSecurity(route),
    parameters: [...pathParameters(path), ...queryParameters(route, schemas)],
    ...(method === 'post' && { requestBody: { required: true, content: describeTypes(bodies, schemas) } }),
    responses: describeResponses(route, schemas),
  };
}

function describeResponses(route: DescribedRoute, schemas: NamedSchemas): Json {
  const { responses, refusals = {}, failures = listFailures(route), isPage = false } = route;
  const failure = describeContent(isPage ? { 'text/html': null } : FAILURE, schemas);
  const statuses = [...new Set([...failures, ...Object.keys(refusals).map(Number)])];
  return {
    ...Object.fromEntries(
      Object.entries(responses).map(([status, content]) => [
        status,
        { description: content === null ? 'Done.' : 'The result.', ...describeContent(content, schemas) },
      ]),
    ),
    ...Object.fromEntries(
      statuses.map((status) => {
        const { name, description } = FAILURES[status] ?? { name: undefined, description: 'It failed.' };
        if (name !== undefined && refusals[status] === undefined && !isPage) {
          return [status, { $ref: `#/components/responses/${name}` }];
        }
        return [status, { description: refusals[status] ?? description, ...failure }];
      }),
    ),
  };
}

function describeContent(content: ResponseContent, schemas: NamedSchemas): Json {
  if (content === null) return {};
  return { content: describeTypes(content instanceof z.ZodType ? { [JSON_TYPE]: content } : content, schemas) };
}

function describeTypes(types: Readonly<Record<string, z.ZodType | null>>, schemas: NamedSchemas): Json {
  return Object.fromEntries(
    Object.entries(types).map(([type, schema]) => [
      type,
      { schema: schema === null ? { type: 'string' } : describeSchema(schema, schemas) },
    ]),
  );
}

function describeSchema(schema: z.ZodType, schemas: NamedSchemas): unknown {
  // A schema with a name becomes a reference only inside another one.
  const { properties, $defs } = z.toJSONSchema(z.object({ schema }), { io: 'input', override: withoutSafeIntegers });
  Object.assign(schemas, $defs);
  return properties?.schema;
}

function commonFailures(schemas: NamedSchemas): Json {
  return Object.fromEntries(
    Object.entries(FAILURES).map(([status, { name, description }]) => [
      name,
      {
        description,
        ...(['429', '503'].includes(status) && { headers: RETRY_AFTER }),
        ...describeContent(FAILURE, schemas),
      },
    ]),
  );
}

function securitySchemes(sessionCookie: string): Json {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description: 'The session of an admin. Requests of other origins are refused.',
    },
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key with the named scope, for automation. Admins make and revoke keys in the dashboard.',
    },
    inviteKey: { type: 'http', scheme: 'bearer', description: '`INVITE_KEY`, for the back end of the product.' },
  };
}

const TAGS = [
  {
    name: 'Visitors',
    description: 'What pages call when somebody visits or signs up. No response contains an address.',
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
  return /^\/api\/(brand|openapi\.json)$|^\/healthz$/.test(path) ? 'Server' : 'Visitors';
}

function describeSecurity({ access, scope }: DescribedRoute): readonly Json[] {
  if (access === 'public') return [];
  return [
    access === 'session' ? { session: [] } : { inviteKey: [] },
    ...(scope === undefined ? [] : [{ apiKey: [scope] }]),
  ];
}

function listFailures({ method, access, query }: DescribedRoute): readonly number[] {
  return [
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

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: DescribedRoute, schemas: NamedSchemas): readonly Json[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: describeSchema(schema, schemas),
  }));
}

/** A form of another site cannot send JSON, so routes without input ask for it. */
const EMPTY = z.looseObject({}).describe('Nothing of it is used: `{}`.');

/** The bounds of a number that JavaScript represents exactly, which zod writes for every integer. */
function withoutSafeIntegers({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
