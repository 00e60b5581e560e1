import type { Messages } from './messages.ts';

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = [...'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž'];
const LONGER_BY = 0.4;

/** Returns a text that looks like a translation: each letter accented, about 40% longer, in brackets. */
export function pseudoText(text: string): string {
  // Placeholders such as {max} are left unchanged, because they are replaced later.
  const plain = text.match(/\{\w+\}|./gsu) ?? [];
  const letters = plain.map((letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter);
  // Double vowels from the start, so that the words stay intact.
  let left = Math.max(0, Math.ceil([...text].length * LONGER_BY) - 2);
  const longer = letters.map((letter, at) => {
    if (left === 0 || !/^[aeiouy]$/i.test(plain[at] ?? '')) return letter;
    left -= 1;
    return letter + letter;
  });
  return `[${longer.join('')}${'~'.repeat(left)}]`;
}

export function pseudoMessages(messages: Messages): Messages {
  const translated = { ...messages };
  for (const key of listKeys(messages)) translated[key] = pseudoText(messages[key]);
  return translated;
}

function listKeys<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object).filter((key): key is Extract<keyof T, string> => key in object);
}
