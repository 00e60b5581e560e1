import type { AdminPart } from './elements.tsx';
import { EXCHANGE, type Exchange, type Host } from './exchange.ts';
import { lent } from './lent.ts';

/** Filled in by the build. */
declare const ADMIN_SCRIPT: { readonly name: string; readonly integrity: string };

/**
 * Brings the overlay's script from beside this one when it is asked for; a failed load is tried again. By a tag rather than `import()`,
 * which could not be told the hash that the overlay's script must have.
 */
export function adminLoader({ src, nonce }: HTMLScriptElement): () => Promise<AdminPart> {
  const host: Host = window;
  const exchange: Exchange = { lent };
  host[EXCHANGE] = exchange;
  return () =>
    new Promise((resolve, reject) => {
      const settle = () => (exchange.admin ? resolve(exchange.admin) : reject());
      if (exchange.admin) return settle();
      const tag = document.createElement('script');
      tag.crossOrigin = 'anonymous';
      tag.integrity = ADMIN_SCRIPT.integrity;
      tag.nonce = nonce;
      tag.onload = tag.onerror = settle;
      tag.src = new URL(ADMIN_SCRIPT.name, src).href;
      document.head.append(tag);
      tag.remove();
    });
}
