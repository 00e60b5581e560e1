import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useApi } from './admin-api.ts';

interface ReadOptions<T> extends Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> {
  readonly query?: URLSearchParams;
  /** What must not be in a URL. It makes the request a POST. */
  readonly body?: object;
}

/** Reads a route of the admin's interface. Actions refresh it by the beginning of its key. */
export function useRead<T>(
  queryKey: readonly unknown[],
  path: string,
  { query, body, ...options }: ReadOptions<T> = {},
) {
  const api = useApi();
  return useQuery<T>({
    queryKey,
    queryFn: ({ signal }) => (body ? api.post<T>(path, body, { signal }) : api.get<T>(path, query, signal)),
    ...options,
  });
}
