/** An own property of a parsed body, or undefined. */
export function readField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

/** The property if it is a string, otherwise an empty string. */
export function readString(body: unknown, name: string): string {
  const value = readField(body, name);
  return typeof value === 'string' ? value : '';
}
