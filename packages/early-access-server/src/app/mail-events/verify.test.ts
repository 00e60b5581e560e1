import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { readMailgunToken } from './verify.ts';

const NOW = 1_770_000_000_000;
const TOKEN = 'a'.repeat(50);

function readSigned({ timestamp = String(NOW / 1_000), token = TOKEN } = {}): string | null {
  const signature = createHmac('sha256', 'key').update(`${timestamp}${token}`).digest('hex');
  return readMailgunToken({ signature: { timestamp, token, signature } }, 'key', NOW);
}

it('a signed time and token of Mailgun are accepted for nine hours', () => {
  const [first, last] = [NOW / 1_000 - 9 * 3_600, NOW / 1_000 + 9 * 3_600];
  for (const time of [first, last]) expect(readSigned({ timestamp: String(time) })).toBe(TOKEN);
  for (const time of [first - 1, last + 1]) expect(readSigned({ timestamp: String(time) })).toBeNull();
});

it.each([
  { timestamp: '' },
  { timestamp: 'now' },
  { timestamp: ` ${NOW / 1_000}` },
  { timestamp: `${NOW / 1_000}.0` },
  { token: '' },
  { token: 'a'.repeat(15) },
  { token: 'a'.repeat(129) },
  { token: `${TOKEN}/` },
  { token: `/${TOKEN}` },
])('a time or token in another form is refused even if it is signed: %j', (changes) => {
  expect(readSigned(changes)).toBeNull();
});
