import type { StorageAdapter } from '../core/adapter.ts';
import type { Language } from '../core/languages.ts';
import type { Messages } from '../core/messages.ts';
import type { EmbedParts } from './elements.tsx';
import type { react } from './react-functions.ts';
import type { findTexts } from './texts-part.ts';

/** The parts, and the texts that only pages without a bundler load. */
export interface ScriptParts extends EmbedParts, Readonly<Record<`texts-${Language}`, Messages>> {
  readonly texts: { readonly findTexts: typeof findTexts };
}

/** Loads the script of a part. `integrity` is only needed if embed.js does not contain its hash. */
export type LoadScript = <Name extends keyof ScriptParts>(name: Name, integrity?: string) => Promise<ScriptParts[Name]>;

/** Shared by the page's scripts: embed.js sets `react` and `adapter`, and each part's script adds itself. */
interface EmbedScripts {
  readonly react: typeof react;
  /** The adapter of the page's elements. */
  readonly adapter: StorageAdapter;
  readonly parts: { -readonly [Name in keyof ScriptParts]?: ScriptParts[Name] };
}

export const SCRIPTS: unique symbol = Symbol.for('early-access-kit.embed');

export type EmbedWindow = Window & { [SCRIPTS]?: EmbedScripts };
