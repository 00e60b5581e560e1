import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useApi } from './admin-api.ts';

interface ReadOptions<T> extends Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> {
  readonly query?: URLSearchParams;
}

/** Reads a route of the admin API. Actions refetch it by a prefix of its query key. */
export function useRead<T>(queryKey: readonly unknown[], path: string, { query, ...options }: ReadOptions<T> = {}) {
  const api = useApi();
  return useQuery<T>({ queryKey, queryFn: ({ signal }) => api.get<T>(path, query, signal), ...options });
}
