import type { AdminPart } from './elements.tsx';
import { EXCHANGE, type Exchange, type Host } from './exchange.ts';
import { lent } from './lent.ts';

/** Set by the build. */
declare const ADMIN_SCRIPT: { readonly name: string; readonly integrity: string };

/** `createScriptURL` returns a `TrustedScriptURL`; the DOM's types take strings only. */
interface TrustedTypesHost {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
  };
}

/**
 * Loads the overlay's script on demand from the folder of this script; a failed load is retried. Uses a script tag, because `import()`
 * cannot check the script's hash. Under Trusted Types, its URL comes from the policy `early-access-kit`, which returns this one URL for
 * any input.
 */
export function adminLoader({ src, nonce }: HTMLScriptElement): () => Promise<AdminPart> {
  const host: Host & TrustedTypesHost = window;
  const exchange: Exchange = { lent };
  host[EXCHANGE] = exchange;
  const url = new URL(ADMIN_SCRIPT.name, src).href;
  let trustedUrl: string | undefined;
  return () =>
    new Promise((resolve, reject) => {
      const settle = () => (exchange.admin ? resolve(exchange.admin) : reject());
      if (exchange.admin) return settle();
      // Created once, because a page may forbid a second policy of the same name.
      trustedUrl ??=
        host.trustedTypes?.createPolicy('early-access-kit', { createScriptURL: () => url }).createScriptURL(url) ?? url;
      const tag = document.createElement('script');
      tag.crossOrigin = 'anonymous';
      tag.integrity = ADMIN_SCRIPT.integrity;
      tag.nonce = nonce;
      tag.onload = tag.onerror = settle;
      tag.src = trustedUrl;
      document.head.append(tag);
      tag.remove();
    });
}
