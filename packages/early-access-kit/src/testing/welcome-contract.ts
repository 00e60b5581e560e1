import { describe, expect, it, vi } from 'vitest';
import { getFailureCode, type WithFixture } from './contract.ts';
import { exampleSignup } from './examples.ts';

export function welcomeContract(withFixture: WithFixture): void {
  describe('sendWelcomeEmail', () => {
    it(
      'sends one email no matter how often it is requested',
      withFixture(async ({ adapter, contents }) => {
        const signup = exampleSignup();
        await adapter.createSignup(signup);
        await Promise.all(Array.from({ length: 20 }, () => adapter.sendWelcomeEmail(signup.email)));
        await vi.waitFor(async () => expect((await contents()).welcomed).toEqual([signup.email]));
        await adapter.createSignup(signup);
        await adapter.createSignup(exampleSignup({ email: signup.email }));
        await adapter.sendWelcomeEmail(` ${signup.email.toUpperCase()} `);
        // Emails go out in order, so a second email would have arrived before the one to this later signup.
        const later = exampleSignup();
        await adapter.createSignup(later);
        await adapter.sendWelcomeEmail(later.email);
        await vi.waitFor(async () => expect((await contents()).welcomed).toContain(later.email));
        expect([...(await contents()).welcomed].sort()).toEqual([later.email, signup.email].sort());
      }),
    );

    it(
      'sends nothing to an address that is not signed up, and does not reveal that',
      withFixture(async ({ adapter, contents }) => {
        const signup = exampleSignup();
        await adapter.createSignup(signup);
        const results = [
          await adapter.sendWelcomeEmail(signup.email),
          await adapter.sendWelcomeEmail('stranger@example.org'),
        ];
        expect(results[1]).toEqual(results[0]);
        await vi.waitFor(async () => expect((await contents()).welcomed).toEqual([signup.email]));
      }),
    );

    it(
      'rejects invalid addresses',
      withFixture(async ({ adapter, contents }) => {
        for (const email of ['', 'nobody', 'a<v@x.io>', 'v@x.io\nw@y.io']) {
          expect(await getFailureCode(adapter.sendWelcomeEmail(email))).toBe('invalid');
        }
        expect((await contents()).welcomed).toEqual([]);
      }),
    );
  });
}
