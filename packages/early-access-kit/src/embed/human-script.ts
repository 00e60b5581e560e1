/** The script of the human checks, loaded by embed.js if a form has one. */
import { checkHuman } from './human-part.ts';
import { type EmbedWindow, SCRIPTS } from './scripts.ts';

const host: EmbedWindow = window;
const scripts = host[SCRIPTS];
// The first one stays if the visitor is so fast that it is loaded twice: it holds what was prepared.
if (scripts) scripts.parts.human ??= { checkHuman };
