/** The value that `create` returned the first time. A failure is not kept. */
export function once<T>(create: () => T): () => T {
  let value: { readonly created: T } | undefined;
  return () => {
    value ??= { created: create() };
    return value.created;
  };
}
