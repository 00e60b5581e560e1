/** The script of the suggestions, loaded by embed.js when a form with `suggest` is used. */
import { type EmbedWindow, SCRIPTS } from './script-registry.ts';
import { suggest } from './suggest-part.ts';

const host: EmbedWindow = window;
const scripts = host[SCRIPTS];
if (scripts) scripts.parts.suggest = { suggest };
