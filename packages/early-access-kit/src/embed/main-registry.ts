import { type EmbedWindow, SCRIPTS } from './script-registry.ts';

/** The registry of embed.js, for the scripts that it loads. */
const host: EmbedWindow = window;
const found = host[SCRIPTS];
if (!found) throw new Error('early-access-kit: this script is loaded by embed.js');

export const scripts = found;
