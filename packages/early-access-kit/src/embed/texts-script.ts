/** The script of the languages, loaded by embed.js unless the page is in English. */
import { scripts } from './main-registry.ts';
import { findTexts } from './texts-part.ts';

scripts.parts.texts = { findTexts };
