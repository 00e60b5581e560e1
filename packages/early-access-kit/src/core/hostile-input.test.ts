import { expect, it } from 'vitest';
import {
  EXAMPLE_ATTRIBUTION,
  EXAMPLE_LANDING,
  exampleSession,
  exampleSignup,
  exampleUpdate,
} from '../testing/examples.ts';
import { isValidEmail } from './email.ts';
import { parseSessionStart, parseSessionUpdate, parseSignup } from './validation.ts';

const NOW = 1_760_000_000_000;

const LENGTH = 100_000;
const PIECES = ['\u0300\u0323', '@.', 'a-', '\ud83d', '\u0000', ' ', '%'];

const records = [
  [parseSignup, exampleSignup(EXAMPLE_ATTRIBUTION)] as const,
  [parseSessionStart, exampleSession(NOW, EXAMPLE_LANDING)] as const,
  [parseSessionUpdate, exampleUpdate(exampleSession(NOW, EXAMPLE_LANDING))] as const,
];
const fields = records.flatMap(([parse, record]) =>
  Object.entries(record)
    .filter(([, value]) => typeof value === 'string')
    .map(([field]) => ({ field, parse: (value: string) => parse({ ...record, [field]: value }), pieces: PIECES })),
);
const emails = { field: 'an address', parse: isValidEmail, pieces: [...PIECES, '@', '.', 'a@a.', 'ü@ü.'] };

it.each([emails, ...fields])('in $field takes about as long as plain input of the same length', ({ parse, pieces }) => {
  const once = (input: string) => {
    const started = performance.now();
    // Quadratic time would take minutes here.
    for (let turn = 0; turn < 20 && performance.now() - started < 1_000; turn += 1) {
      try {
        parse(input);
      } catch {}
    }
    return performance.now() - started;
  };
  // The fastest of three, because other work on the machine only ever makes a measurement longer.
  const milliseconds = (input: string) => Math.min(once(input), once(input), once(input));
  for (const piece of pieces) {
    const plain = Math.max(milliseconds('a'.repeat(LENGTH)), 1);
    expect(milliseconds(piece.repeat(LENGTH / piece.length)) / plain).toBeLessThan(50);
  }
});
