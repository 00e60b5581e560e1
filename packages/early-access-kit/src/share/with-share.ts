import type { StorageAdapter } from '../core/adapter.ts';
import { type SignupWatch, watchSignups } from './shared-link.ts';

const watches = new WeakMap<StorageAdapter, SignupWatch>();

/**
 * Returns an adapter that does the same as the given one, for a provider with `useShare` or `<ShareLink>` below it. Create it once, outside
 * the component.
 */
export function withShare(adapter: StorageAdapter): StorageAdapter {
  const watch = watchSignups(adapter);
  const shared: StorageAdapter = {
    endpoint: adapter.endpoint,
    createSignup: watch.createSignup,
    readInbox: adapter.readInbox?.bind(adapter),
    sendWelcomeEmail: (email) => adapter.sendWelcomeEmail(email),
    startSession: (session) => adapter.startSession(session),
    updateSession: (...update) => adapter.updateSession(...update),
    readSummary: (adminEmail) => adapter.readSummary(adminEmail),
  };
  watches.set(shared, watch);
  return shared;
}

/** Throws if the adapter is not one of `withShare`. */
export function findWatch(adapter: StorageAdapter): SignupWatch {
  const watch = watches.get(adapter);
  if (watch === undefined) {
    throw new Error('early-access-kit: wrap the adapter for share links: <EarlyAccessProvider adapter={withShare(…)}>');
  }
  return watch;
}
