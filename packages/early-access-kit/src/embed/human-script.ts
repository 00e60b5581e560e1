/** The script of the human checks, loaded by embed.js if a form has one. */
import { checkHuman } from './human-part.ts';
import { type EmbedWindow, SCRIPTS } from './script-registry.ts';

const host: EmbedWindow = window;
const scripts = host[SCRIPTS];
// If this script is loaded twice, the first copy is used, because it holds the prepared work.
if (scripts) scripts.parts.human ??= { checkHuman };
