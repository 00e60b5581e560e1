import { StorageError } from '../core/errors.ts';
import { CALL_DEADLINE_MS } from '../core/limits.ts';

/** `createScriptURL` returns a `TrustedScriptURL`, but the DOM's types only accept strings. */
export interface TrustedTypesHost {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(input: string): string },
    ): { createScriptURL(input: string): string };
  };
}

/** Scripts that are loading or loaded, keyed by the global with their API. */
const scripts = new Map<string, Promise<void>>();
/** Created once, because a page may forbid a second policy of the same name. */
const trustedUrls = new Map<string, string>();

/**
 * Loads a provider's script and returns its API from the global `name`. Loads it once per page, and not at all if the
 * host already has. After a failure, the next call loads it again.
 */
export async function loadScript<Api>(name: string, url: string, read: () => Api | undefined): Promise<Api> {
  const present = read();
  if (present !== undefined) return present;
  let script = scripts.get(name);
  if (script === undefined) {
    script = appendScript(name, url);
    scripts.set(name, script);
  }
  try {
    await script;
  } catch (cause) {
    scripts.delete(name);
    throw new StorageError('unavailable', `${url} cannot be loaded`, { cause });
  }
  const api = read();
  if (api === undefined) throw new StorageError('unavailable', `${url} does not define ${name}`);
  return api;
}

/** Resolves when the script calls back, because an API may not be ready at the script's load event. */
async function appendScript(name: string, url: string): Promise<void> {
  const tag = document.createElement('script');
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const callback = `early_access_${name}`;
      // Not removed after a failure, because a script that arrives late still calls it.
      Object.assign(window, { [callback]: resolve });
      timer = setTimeout(() => reject(new Error('it took too long')), CALL_DEADLINE_MS);
      tag.onerror = reject;
      tag.src = trustedUrl(name, `${url}?render=explicit&onload=${callback}`);
      document.head.append(tag);
    });
  } finally {
    clearTimeout(timer);
    tag.remove();
  }
}

/** Under Trusted Types, the URL comes from a policy that returns this one URL for any input. */
function trustedUrl(name: string, url: string): string {
  const host: Window & TrustedTypesHost = window;
  const trusted =
    trustedUrls.get(name) ??
    host.trustedTypes?.createPolicy(`early-access-kit-${name}`, { createScriptURL: () => url }).createScriptURL(url) ??
    url;
  trustedUrls.set(name, trusted);
  return trusted;
}
