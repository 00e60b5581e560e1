import type { EmbedParts } from './elements.tsx';
import type { react } from './react-functions.ts';

/** How the scripts find each other: `react` is set by embed.js, a part by its script. */
interface EmbedScripts {
  readonly react: typeof react;
  readonly parts: { -readonly [Name in keyof EmbedParts]?: EmbedParts[Name] };
}

export const SCRIPTS: unique symbol = Symbol.for('early-access-kit.embed');

export type EmbedWindow = Window & { [SCRIPTS]?: EmbedScripts };
