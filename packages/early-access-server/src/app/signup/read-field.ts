/** An own property of a parsed body; undefined if the body is not an object or has no such property. */
export function readField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}
