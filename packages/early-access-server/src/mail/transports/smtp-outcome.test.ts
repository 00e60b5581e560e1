import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { toDeliveryResult } from './smtp-outcome.ts';

const COMMANDS = ['CONN', 'EHLO', 'AUTH PLAIN', 'MAIL FROM', 'RCPT TO', 'DATA', 'QUIT', undefined];
const command = fc.constantFrom(...COMMANDS);
const refusal = fc.integer({ min: 400, max: 599 });
const otherCode = fc.oneof(
  fc.integer({ min: 0, max: 399 }),
  fc.integer({ min: 600, max: 999 }),
  fc.constant(undefined),
);

describe('toDeliveryResult', () => {
  it('returns `refused` for any 4xx or 5xx response, before and after the body was started', () => {
    fc.assert(
      fc.property(refusal, command, fc.boolean(), (responseCode, at, bodyStarted) => {
        const result = toDeliveryResult({ responseCode, command: at }, bodyStarted);
        expect(result.outcome).toBe('refused');
        if (responseCode < 500) {
          expect(result).toMatchObject({ refusal: expect.stringMatching(/^(?:later|unreachable)$/) });
        }
      }),
    );
  });

  it('without such a response returns `unknown` if the body was started, otherwise a temporary `refused`', () => {
    fc.assert(
      fc.property(otherCode, command, (responseCode, at) => {
        const failure = { code: 'ECONNECTION', responseCode, command: at };
        expect(toDeliveryResult(failure, true)).toMatchObject({ outcome: 'unknown' });
        expect(toDeliveryResult(failure, false)).toMatchObject({ outcome: 'refused', refusal: 'unreachable' });
      }),
    );
  });

  it.each([
    ['550 5.1.1 <ada@example.org> unknown', '550 5.1.1 <[address]> unknown'],
    ['550-5.7.26 no\r\n550 5.7.26 ada@x.io', '550 5.7.26 no [address]'],
    ['550 no ada@example.org', '550 no [address]'],
    ['550 5.1.1 <ADA>... User unknown', '550 5.1.1 <[address]>... User unknown'],
    ['550 Adair is no mailbox of Canada', '550 Adair is no mailbox of Canada'],
    ['550 5.7.1 client [203.0.113.7] blocked', '550 5.7.1 client [203.0.113.7] blocked'],
    [`550 ${'no '.repeat(200)}`, `550 ${'no '.repeat(98)}no…`],
  ])('gives the words of the server without the address: %j', (response, words) => {
    const failure = { responseCode: 550, response, command: 'RCPT TO' };
    expect(toDeliveryResult(failure, false, 'ada@example.org')).toMatchObject({ reason: `${words} (RCPT TO)` });
  });

  it.each([
    [
      { code: 'ESOCKET', originalCode: 'ECONNREFUSED', timeoutType: 'x', command: 'CONN' },
      'ESOCKET ECONNREFUSED (CONN)',
    ],
    [{ code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }, 'ETIMEDOUT GREETING_TIMEOUT'],
    [{}, 'EUNKNOWN'],
  ])('gives codes if the server said nothing: %j', (failure, reason) =>
    expect(toDeliveryResult(failure, false)).toMatchObject({ reason }),
  );
});
