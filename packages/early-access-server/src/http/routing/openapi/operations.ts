import * as z from 'zod';

const json = z.record(z.string(), z.unknown());
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(''),
  'x-read-only': z.boolean().default(false),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean(),
        description: z.string().optional(),
        schema: json,
      }),
    )
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: json.default({}) })),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: json.default({}) }),
});
const bodySchema = z.object({
  properties: z.record(z.string(), json).default({}),
  required: z.array(z.string()).default([]),
});

/** A value that an operation takes, with its JSON Schema, which refers to no other. */
interface OperationInput {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly isRequired: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** An operation of the OpenAPI document, for programs that describe it to others. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** Its parameters are in braces. */
  readonly path: string;
  readonly summary: string;
  readonly details: string;
  /** API keys with one of these scopes may call it. */
  readonly scopes: readonly string[];
  readonly isReadOnly: boolean;
  /** Whether only an admin's session may call it. */
  readonly isForAdmins: boolean;
  readonly inputs: readonly OperationInput[];
  /** The media types of its successful responses. */
  readonly types: readonly string[];
}

/** Reads the operations of an OpenAPI document that this server made. Throws if it is another document. */
export function readOperations(document: unknown): readonly Operation[] {
  const { paths, components } = documentSchema.parse(document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const scopes = described.security.flatMap(({ apiKey = [] }) => apiKey);
      return {
        name: described.operationId,
        method: method.toUpperCase(),
        path,
        summary: described.summary,
        details: described.description,
        scopes,
        isReadOnly: method === 'get' || described['x-read-only'],
        isForAdmins: scopes.length === 0 && described.security.some(({ session }) => session !== undefined),
        inputs: listInputs(described, components.schemas),
        types: Object.entries(described.responses).flatMap(([status, { content }]) =>
          status.startsWith('2') ? Object.keys(content) : [],
        ),
      };
    }),
  );
}

function listInputs(
  { parameters, requestBody }: z.output<typeof operation>,
  schemas: Readonly<Record<string, unknown>>,
): readonly OperationInput[] {
  const body = bodySchema.parse(inlineReferences(requestBody?.content['application/json']?.schema ?? {}, schemas));
  return [
    ...parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      place,
      isRequired: required,
      schema: json.parse(inlineReferences({ ...schema, ...(description !== undefined && { description }) }, schemas)),
    })),
    ...Object.entries(body.properties).map(([name, schema]) => ({
      name,
      place: 'body' as const,
      isRequired: body.required.includes(name),
      schema,
    })),
  ];
}

/** Puts the schemas that it refers to into the schema. Schemas of input refer to no schema that contains them. */
function inlineReferences(schema: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inlineReferences(part, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...parts } = json.parse(schema);
  if (typeof $ref === 'string') {
    return inlineReferences({ ...json.parse(schemas[$ref.split('/').at(-1) ?? '']), ...parts }, schemas);
  }
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, inlineReferences(part, schemas)]));
}
