import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useApi } from './admin-api.ts';

interface ReadOptions<T> extends Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> {
  readonly query?: URLSearchParams;
  /** Sent as a POST body, for values that must not appear in a URL. */
  readonly body?: object;
}

/** Queries an admin API route. Actions invalidate it by key prefix. */
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
