/**
 * Between a lower-case and an upper-case letter, or before the last of several capitals: `isSubscribed`, `EMAILStatus`.
 */
const CASE_CHANGE = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** Reduces a text to lower-case letters without accents and digits, with one space between words. */
export function normalizeWords(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/(?<=n)['’](?=t)/gi, '')
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .normalize('NFC');
}

/** Like `normalizeWords`, but a change of case starts a new word as well. */
export function splitWords(text: string): string {
  return normalizeWords(text.replace(CASE_CHANGE, ' '));
}

const HAS_NO_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Arabic}]/u;

/**
 * Compiles words, which are separated by spaces, to an expression for texts from `normalizeWords`. `*` matches any
 * letters before or after a word, `+` an optional space. Words in scripts without spaces match anywhere.
 */
export function matchWords(words: string): RegExp {
  const patterns = words
    .trim()
    .split(/\s+/)
    .map((word) => {
      const letters = normalizeWords(word.replace(/[*+]/g, ' ')).replaceAll(' ', ' ?');
      if (HAS_NO_SPACES.test(word)) return letters;
      return `${word.startsWith('*') ? '' : '(?<![^ ])'}${letters}${word.endsWith('*') ? '[^ ]*' : '(?![^ ])'}`;
    });
  return new RegExp(patterns.join('|'), 'g');
}

export function hasWord(text: string, words: RegExp): boolean {
  return text.search(words) !== -1;
}

const MAX_REMEMBERED = 20_000;

/** Caches results while a file is read, because most values of a large file are repeated. */
export function rememberResults<Result>(read: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known.result;
    const result = read(text);
    if (results.size < MAX_REMEMBERED) results.set(text, { result });
    return result;
  };
}
