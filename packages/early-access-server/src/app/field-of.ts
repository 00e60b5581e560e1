/** An own field of a parsed body; undefined if the body is no object or has none of that name. */
export function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}
