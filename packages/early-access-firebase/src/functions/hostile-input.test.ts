import { MAX_BODY_BYTES } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { harness } from '../fixtures/harness.ts';

const b = await harness();
const PLENTY = { burst: 1_000, perMinute: 1_000 };
const rateLimits = {
  welcomeEmails: PLENTY,
  signupForms: PLENTY,
  wrongAdmins: PLENTY,
  allWrongAdmins: PLENTY,
};

/** Runs of combining marks take quadratic time to normalize. */
const MARKS = '\u0300\u0323';
const filled = (piece: string, bytes: number) => piece.repeat(bytes / Buffer.byteLength(piece));

it.each<[string, (piece: string) => Promise<Response>]>([
  ['send-welcome-email', (piece) => b.call('send-welcome-email', { email: filled(piece, 200_000) })],
  ['read-analytics', (piece) => b.call('read-analytics', { adminEmail: filled(piece, 200_000) })],
  [
    'submit-signup-form',
    (piece) =>
      fetch(b.functions.functionUrl('submit-signup-form'), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `email=${filled(piece, MAX_BODY_BYTES - 100)}`,
      }),
  ],
])('%s takes about the same time for any hostile address', async (_, send) => {
  await b.deploy({ rateLimits });
  /** The fastest of five, because other load can only make a request slower. */
  async function milliseconds(piece: string): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const started = performance.now();
      expect((await send(piece)).status).toBe(400);
      times.push(performance.now() - started);
    }
    return Math.min(...times);
  }
  await milliseconds('a');
  const plain = await milliseconds('a');
  expect(await milliseconds(MARKS)).toBeLessThan(5 * plain);
});
