import type { StorageAdapter } from '../core/adapter.ts';
import { StorageError } from '../core/errors.ts';
import type { TrustedTypesHost } from '../human/load-script.ts';
import { react } from './react-functions.ts';
import { type EmbedWindow, type LoadScript, SCRIPTS, type ScriptParts } from './script-registry.ts';

/** Set by the build. */
declare const VERSION: string;
declare const HASHES: { readonly [name: string]: string };

/**
 * Loads the other scripts on demand from the folder of this script; a failed load is retried. Uses a script tag,
 * because `import()` cannot check a script's hash. Under Trusted Types, URLs come from the policy `early-access-kit`,
 * which no other code can access.
 */
export function partLoader({ src, nonce }: HTMLScriptElement, adapter: StorageAdapter): LoadScript {
  const host: EmbedWindow & TrustedTypesHost = window;
  const parts: Partial<ScriptParts> = {};
  host[SCRIPTS] = { react, parts, adapter };
  const rules = { createScriptURL: (name: string) => new URL(`embed-${name}-${VERSION}.js`, src).href };
  let policy: typeof rules | undefined;
  return (name, integrity = HASHES[name] ?? '') =>
    new Promise((resolve, reject) => {
      const finish = () => {
        const part = parts[name];
        if (part) resolve(part);
        else reject(new StorageError('unavailable', 'no response'));
      };
      if (parts[name]) return finish();
      // Created once, because a page may forbid a second policy of the same name.
      policy ??= host.trustedTypes?.createPolicy('early-access-kit', rules) ?? rules;
      const tag = document.createElement('script');
      // Equivalent to "anonymous".
      tag.crossOrigin = '';
      tag.integrity = integrity;
      tag.nonce = nonce;
      tag.onload = tag.onerror = finish;
      tag.src = policy.createScriptURL(name);
      document.head.append(tag);
      tag.remove();
    });
}
