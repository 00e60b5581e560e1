/** The script of the human checks, loaded by embed.js if a form has one. */
import { checkHuman } from './human-part.ts';
import { type EmbedWindow, SCRIPTS } from './scripts.ts';

const host: EmbedWindow = window;
const scripts = host[SCRIPTS];
if (scripts) scripts.parts.human = { checkHuman };
