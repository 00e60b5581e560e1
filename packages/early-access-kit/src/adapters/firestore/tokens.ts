import { loadOnDemand } from './load-on-demand.ts';
import type { FirestoreSettings, SdkApp } from './options.ts';

export interface Tokens {
  /** Returns the headers to send now. Empty without tokens, so that such calls need no preflight. */
  headers(): Record<string, string>;
  /**
   * Requests tokens and waits for them for at most `patienceMs`; tokens that arrive later are used by the next call.
   * Never rejects.
   */
  refresh(patienceMs: number): Promise<void>;
}

export function tokens({ getAppCheckToken, getIdToken }: FirestoreSettings, app?: SdkApp): Tokens {
  let headers = {};
  /** Returns undefined if the provider fails: the call then shows whether a token is required. */
  async function requestToken(get: FirestoreSettings['getIdToken'], service: 'app-check' | 'auth') {
    try {
      if (get) return await get();
      return await (app?.container && (await loadOnDemand()).appToken(app, service));
    } catch {}
  }
  async function renew(): Promise<void> {
    const [appCheck, id] = await Promise.all([
      requestToken(getAppCheckToken, 'app-check'),
      requestToken(getIdToken, 'auth'),
    ]);
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
