import type { Chance } from '@early-access-kit/testkit/fault-runs';

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789.@';
const MOVES = ['ArrowLeft', 'ArrowRight', 'Home', 'End'] as const;
const KEYS = ['Backspace', 'Delete', ...MOVES, ...MOVES.map((key) => `Shift+${key}` as const)] as const;

type Move = (typeof MOVES)[number];

/** Draws one key in Playwright's notation: mostly a character, otherwise one that moves, selects or deletes. */
export function drawKey(chance: Chance): string {
  const special = KEYS[chance.below(3 * KEYS.length)];
  return special ?? CHARACTERS.charAt(chance.below(CHARACTERS.length));
}

/** A field's text, and its selection from `anchor` to `caret`. */
export interface TypedText {
  readonly value: string;
  readonly anchor: number;
  readonly caret: number;
}

/** Returns the contents of a field without scripts after one more key. */
export function typeKey({ value, anchor, caret }: TypedText, key: string): TypedText {
  const [from, to] = [Math.min(anchor, caret), Math.max(anchor, caret)];
  const isMove = (name: string): name is Move => MOVES.some((move) => move === name);
  const selects = key.startsWith('Shift+');
  const name = selects ? key.slice('Shift+'.length) : key;
  if (isMove(name)) {
    const target = {
      Home: 0,
      End: value.length,
      // Without Shift, an arrow key only collapses a selection.
      ArrowLeft: from < to && !selects ? from : Math.max(0, caret - 1),
      ArrowRight: from < to && !selects ? to : Math.min(value.length, caret + 1),
    }[name];
    return { value, anchor: selects ? anchor : target, caret: target };
  }
  const erases = name === 'Backspace' || name === 'Delete';
  const start = name === 'Backspace' && from === to ? Math.max(0, from - 1) : from;
  const end = name === 'Delete' && from === to ? to + 1 : to;
  const typed = erases ? '' : name;
  const position = start + typed.length;
  return { value: value.slice(0, start) + typed + value.slice(end), anchor: position, caret: position };
}
