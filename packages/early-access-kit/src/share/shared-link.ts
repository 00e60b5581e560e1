import type { OwnSignup, SharedLink, StorageAdapter } from '../core/adapter.ts';

/** The last signup of this page that was stored. It is only held in memory. */
export interface SignupWatch {
  current(): OwnSignup | undefined;
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Takes the place of the adapter's own. */
  readonly createSignup: StorageAdapter['createSignup'];
}

/**
 * Watches the signups that go through the returned `createSignup`. A duplicate is not the visitor's own signup, so it
 * is not watched.
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

/** Returns undefined if there is no link, or no answer: sharing is an extra. */
export async function readSharedLink(
  adapter: StorageAdapter,
  signup: OwnSignup,
  lang: string | undefined,
): Promise<SharedLink | undefined> {
  return adapter.share?.(signup, lang).catch(() => undefined);
}

/**
 * Copies the address. Returns false if the browser does not allow it; then select the address, so that the visitor can
 * copy it.
 */
export async function copyLink({ url }: SharedLink): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(url);
    return true;
  } catch {
    return false;
  }
}

/** Opens the browser's own dialog to share. Closing it is no error. */
export async function openShareDialog({ text, url }: SharedLink): Promise<void> {
  await navigator.share({ text, url }).catch(() => {});
}

/** Whether the browser can share; false on a server. */
export function canShare(): boolean {
  return typeof globalThis.navigator?.share === 'function';
}
