import type { FirestoreSettings } from './options.ts';

export interface Tokens {
  /** The headers to send now; empty where there is no token, so that no call needs a preflight for it. */
  headers(): Record<string, string>;
  /** Asks for tokens and waits for them, `patienceMs` at most; those that come later serve the next call. Never rejects. */
  refresh(patienceMs: number): Promise<void>;
}

export function tokens({ getAppCheckToken, getIdToken }: FirestoreSettings): Tokens {
  let headers = {};
  async function renew(): Promise<void> {
    const [appCheck, id] = await Promise.all([tokenOf(getAppCheckToken), tokenOf(getIdToken)]);
    headers = {
      ...(appCheck && { 'X-Firebase-AppCheck': appCheck }),
      ...(id && { Authorization: `Bearer ${id}` }),
    };
  }
  return {
    headers: () => headers,
    refresh: (patienceMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, patienceMs);
        renew().then(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

/** Nothing where the provider fails: the call shows whether a token is needed. */
async function tokenOf(get: FirestoreSettings['getIdToken']) {
  try {
    return await get?.();
  } catch {
    return undefined;
  }
}
