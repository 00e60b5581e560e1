import type { StorageAdapter } from '../core/adapter.ts';
import { type SignupWatch, watchSignups } from './shared-link.ts';

const watches = new WeakMap<StorageAdapter, SignupWatch>();

/**
 * Returns an adapter that works like the given one, for a provider with `useShare` or `<ShareLink>` below it. Call it
 * once, outside the component.
 *
 * @example
 * const adapter = withShare(httpAdapter());
 */
export function withShare(adapter: StorageAdapter): StorageAdapter {
  const watch = watchSignups(adapter);
  const shared = new Proxy(adapter, {
    get(target, name) {
      const member: unknown = name === 'createSignup' ? watch.createSignup : Reflect.get(target, name);
      // Bound, because a class's method may use private fields, which a proxy does not have.
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  watches.set(shared, watch);
  return shared;
}

/** Throws if the adapter was not created by `withShare`. */
export function findWatch(adapter: StorageAdapter): SignupWatch {
  const watch = watches.get(adapter);
  if (watch === undefined) {
    throw new Error('early-access-kit: wrap the adapter for share links: <EarlyAccessProvider adapter={withShare(…)}>');
  }
  return watch;
}
