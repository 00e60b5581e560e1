/** Caches the result of `create`. After a failure, the next call tries again. */
export function once<T>(create: () => T): () => T {
  let value: { readonly created: T } | undefined;
  return () => {
    value ??= { created: create() };
    return value.created;
  };
}
