import type { OwnSignup, SharedLink, StorageAdapter } from '../core/adapter.ts';

/** The last successful signup on this page. Only stored in memory. */
export interface SignupWatch {
  current(): OwnSignup | undefined;
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Replaces the adapter's method. */
  readonly createSignup: StorageAdapter['createSignup'];
}

/**
 * Watches the signups made through the returned `createSignup`. A duplicate is ignored, because it may not be the
 * visitor's own signup.
 */
export function watchSignups(adapter: StorageAdapter): SignupWatch {
  const createSignup = adapter.createSignup.bind(adapter);
  const listeners = new Set<() => void>();
  let own: OwnSignup | undefined;
  return {
    current: () => own,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async createSignup(signup, lang) {
      const result = await createSignup(signup, lang);
      if (result !== 'duplicate') {
        own = { email: signup.email, submission_id: signup.submission_id };
        for (const listener of listeners) listener();
      }
      return result;
    },
  };
}

/** Returns undefined if there is no link or the call fails: sharing is optional. */
export async function readSharedLink(
  adapter: StorageAdapter,
  signup: OwnSignup,
  lang: string | undefined,
): Promise<SharedLink | undefined> {
  return adapter.share?.(signup, lang).catch(() => undefined);
}

/** Copies the URL. Returns false if the browser does not allow it; then select the URL for the visitor to copy. */
export async function copyLink({ url }: SharedLink): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(url);
    return true;
  } catch {
    return false;
  }
}

/** Opens the browser's share dialog. Closing it is not an error. */
export async function openShareDialog({ text, url }: SharedLink): Promise<void> {
  await navigator.share({ text, url }).catch(() => {});
}

/** Returns whether the browser has a share dialog; false on a server. */
export function canShare(): boolean {
  return typeof globalThis.navigator?.share === 'function';
}
