import { useSyncExternalStore } from 'react';

/** Returns false on the server and during hydration, true after that. React re-renders once, without a mismatch. */
export function useHydrated(): boolean {
  return useSyncExternalStore(subscribe, isClient, isServer);
}

const subscribe = () => () => {};
const isClient = () => true;
const isServer = () => false;
