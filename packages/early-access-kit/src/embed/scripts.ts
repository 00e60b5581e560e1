import type { AdminPart } from './elements.tsx';
import type { react } from './shared-react.ts';

/** How the two scripts find each other: `react` is set by embed.js, `admin` by the overlay's script. */
export interface EmbedScripts {
  readonly react: typeof react;
  admin?: AdminPart;
}

export const SCRIPTS: unique symbol = Symbol.for('early-access-kit.embed');

export type EmbedWindow = Window & { [SCRIPTS]?: EmbedScripts };
