/** An own property of a parsed body; undefined if the body is not an object or has no such property. */
export function readField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

/** The same property if it is text; otherwise an empty text. */
export function readString(body: unknown, name: string): string {
  const value = readField(body, name);
  return typeof value === 'string' ? value : '';
}
