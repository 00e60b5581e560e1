const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = [...'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž'];
const LONGER_BY = 0.4;

/** A text as a translation might look: each letter accented, about 40 % longer, between brackets. Pure. */
export function pseudoText(text: string): string {
  const letters = [...text].map((letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter);
  // Vowels doubled from the front keep the words' breaks where they are.
  let left = Math.max(0, Math.ceil(letters.length * LONGER_BY) - 2);
  const longer = letters.map((letter, at) => {
    if (left === 0 || !/[aeiouy]/i.test(text[at] ?? '')) return letter;
    left -= 1;
    return letter + letter;
  });
  return `[${longer.join('')}${'~'.repeat(left)}]`;
}
