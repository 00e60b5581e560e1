import type { Messages } from '../core/messages.ts';
import { pseudoMessages } from '../core/pseudo-text.ts';
import { en } from './en.ts';

/**
 * English that shows what a translation does to a layout: accented, about 40% longer, and in brackets, so that
 * truncated or untranslated text stands out.
 */
export const pseudo: Messages = pseudoMessages(en);
