import { useCallback } from 'react';
import { useEarlyAccess } from '../provider.tsx';

/** Tells a failure, which stands until the next attempt; without a text it only takes the last one away. */
export function useFailure(): (text?: string) => void {
  const { notify, failure } = useEarlyAccess();
  return useCallback(
    (text) => {
      failure.current?.abort();
      if (text === undefined) return;
      failure.current = new AbortController();
      notify({ kind: 'error', text, signal: failure.current.signal });
    },
    [notify, failure],
  );
}
