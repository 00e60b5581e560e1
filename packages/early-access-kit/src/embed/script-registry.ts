import type { StorageAdapter } from '../core/adapter.ts';
import type { Language } from '../core/languages.ts';
import type { Messages } from '../core/messages.ts';
import type { EmbedParts } from './elements.tsx';
import type { react } from './react-functions.ts';
import type { findTexts } from './texts-part.ts';

/** The parts, and what only pages without a bundler load. */
export interface ScriptParts extends EmbedParts, Readonly<Record<`texts-${Language}`, Messages>> {
  readonly texts: { readonly findTexts: typeof findTexts };
}

/** Loads the script of a part. embed.js has its hash, unless one is given. */
export type LoadScript = <Name extends keyof ScriptParts>(name: Name, integrity?: string) => Promise<ScriptParts[Name]>;

/** How the scripts find each other: `react` and `adapter` are set by embed.js, a part by its script. */
interface EmbedScripts {
  readonly react: typeof react;
  /** The adapter of the page's elements. */
  readonly adapter: StorageAdapter;
  readonly parts: { -readonly [Name in keyof ScriptParts]?: ScriptParts[Name] };
}

export const SCRIPTS: unique symbol = Symbol.for('early-access-kit.embed');

export type EmbedWindow = Window & { [SCRIPTS]?: EmbedScripts };
