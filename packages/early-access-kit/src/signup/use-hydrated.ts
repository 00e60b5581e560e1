import { useSyncExternalStore } from 'react';

/** False on the server and while hydrating, true from then on: React re-renders once, with no mismatch. */
export function useHydrated(): boolean {
  return useSyncExternalStore(subscribe, isClient, isServer);
}

const subscribe = () => () => {};
const isClient = () => true;
const isServer = () => false;
