import type { Messages } from '../core/messages.ts';
import { en } from './en.ts';
import { pseudoText } from './pseudo-text.ts';

/**
 * English that shows what a translation does to a layout: accented, about 40% longer, and in brackets, so that truncated or
 * untranslated text stands out.
 */
export const pseudo: Messages = pseudoMessages(en);

function pseudoMessages(messages: Messages): Messages {
  const translated = { ...messages };
  for (const key of keysOf(messages)) translated[key] = pseudoText(messages[key]);
  return translated;
}

function keysOf<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object).filter((key): key is Extract<keyof T, string> => key in object);
}
