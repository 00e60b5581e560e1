import fc from 'fast-check';
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
        const permanent = responseCode >= 500 && (at === 'RCPT TO' || at === 'DATA');
        expect(toDeliveryResult({ responseCode, command: at }, bodyStarted)).toMatchObject({
          outcome: 'refused',
          permanent,
        });
      }),
    );
  });

  it('without such a response returns `unknown` if the body was started, otherwise a temporary `refused`', () => {
    fc.assert(
      fc.property(otherCode, command, (responseCode, at) => {
        const failure = { code: 'ECONNECTION', responseCode, command: at };
        expect(toDeliveryResult(failure, true)).toMatchObject({ outcome: 'unknown' });
        expect(toDeliveryResult(failure, false)).toMatchObject({ outcome: 'refused', permanent: false });
      }),
    );
  });

  it.each([
    [399, 'unknown', undefined],
    [400, 'refused', false],
    [499, 'refused', false],
    [500, 'refused', true],
    [599, 'refused', true],
    [600, 'unknown', undefined],
  ])('returns for response %i after the body: %s', (responseCode, outcome, permanent) => {
    const result = toDeliveryResult({ responseCode, command: 'DATA' }, true);
    expect(result.outcome).toBe(outcome);
    expect(result.outcome === 'refused' ? result.permanent : undefined).toBe(permanent);
  });

  it.each([
    [{ responseCode: 550, response: '550 5.1.1 <ada@example.org> unknown', command: 'RCPT TO' }, '550 5.1.1 (RCPT TO)'],
    [{ responseCode: 550, response: '550-5.7.26 no\r\n550 5.7.26 ada@x.io', command: 'DATA' }, '550 5.7.26 (DATA)'],
    [{ responseCode: 550, response: '550 no ada@example.org', command: 'RCPT TO' }, '550 (RCPT TO)'],
    [
      { code: 'ESOCKET', originalCode: 'ECONNREFUSED', timeoutType: 'x', command: 'CONN' },
      'ESOCKET ECONNREFUSED (CONN)',
    ],
    [{ code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }, 'ETIMEDOUT GREETING_TIMEOUT'],
    [{}, 'EUNKNOWN'],
  ])('gives the reason as codes only: %j', (failure, reason) =>
    expect(toDeliveryResult(failure, false)).toMatchObject({ reason }),
  );
});
