import { createHash } from 'node:crypto';
import { styleTexts } from './html.ts';

/** Hashes in the form that a Content-Security-Policy takes: what of the pages' own inline elements may apply. */
export interface Policy {
  readonly styleHashes: readonly string[];
  readonly scriptHashes: readonly string[];
}

/** No script is inline, so that no script hash is ever needed. */
export function policyOf(pages: readonly string[]): Policy {
  const hashes = pages
    .flatMap(styleTexts)
    .map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
  return { styleHashes: [...new Set(hashes)], scriptHashes: [] };
}
