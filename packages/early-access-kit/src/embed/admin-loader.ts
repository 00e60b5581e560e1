import type { AdminPart } from './elements.tsx';
import { type EmbedScripts, type EmbedWindow, SCRIPTS } from './scripts.ts';
import { react } from './shared-react.ts';

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
  const host: EmbedWindow & TrustedTypesHost = window;
  const scripts: EmbedScripts = { react };
  host[SCRIPTS] = scripts;
  const url = new URL(ADMIN_SCRIPT.name, src).href;
  let trustedUrl: string | undefined;
  return () =>
    new Promise((resolve, reject) => {
      const finish = () => (scripts.admin ? resolve(scripts.admin) : reject());
      if (scripts.admin) return finish();
      // Created once, because a page may forbid a second policy of the same name.
      trustedUrl ??=
        host.trustedTypes?.createPolicy('early-access-kit', { createScriptURL: () => url }).createScriptURL(url) ?? url;
      const tag = document.createElement('script');
      tag.crossOrigin = 'anonymous';
      tag.integrity = ADMIN_SCRIPT.integrity;
      tag.nonce = nonce;
      tag.onload = tag.onerror = finish;
      tag.src = trustedUrl;
      document.head.append(tag);
      tag.remove();
    });
}
