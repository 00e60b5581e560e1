import { afterEach, describe, expect, it } from 'vitest';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { failureOf } from '../../src/testing/contract.ts';
import { exampleSignup } from '../../src/testing/examples.ts';
import { type Backend, startBackend } from './backend.ts';

/** Signups through the adapter under generated rules, besides what the contract checks. */

const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true },
  terms: { type: 'checkbox', label: 'I agree; it’s "fine"', consent: true },
};
const VALUES = { company: "O'Brien & Söhne 🦊", terms: 'I agree; it’s "fine"' };

const running: Backend[] = [];
async function start(options: Parameters<typeof startBackend>[0] = { fields: FIELDS }) {
  const backend = await startBackend(options);
  running.push(backend);
  return backend;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((backend) => backend.stop()));
});

describe('a signup with fields', () => {
  it('is stored with their values, also if the response is lost', async () => {
    const { fake, visitor, admin } = await start();
    const signup = exampleSignup({ fields: VALUES });
    fake.faults.next({ verb: 'commit', drop: 'after' });
    expect(await visitor().createSignup(signup)).toBe('created');
    expect(await visitor().createSignup(signup)).toBe('created');
    expect(await visitor().createSignup(exampleSignup({ email: signup.email, fields: VALUES }))).toBe('duplicate');
    expect(await admin.signups()).toEqual([{ ...signup, created_at: expect.any(Number) }]);
  });

  it('is invalid on a site that declares none', async () => {
    const { visitor } = await start({});
    expect(await failureOf(visitor().createSignup(exampleSignup({ fields: VALUES })))).toBe('invalid');
  });

  it('fails as forbidden if no rules are deployed', async () => {
    const { fake, visitor } = await start();
    fake.setRules('rules_version = "2";\nservice cloud.firestore {}');
    expect(await failureOf(visitor().createSignup(exampleSignup({ fields: VALUES })))).toBe('forbidden');
  });
});

describe('with a human check', () => {
  it('a direct signup is forbidden, with a token, without one, and for an address on the list', async () => {
    const { visitor, admin, fake } = await start({ humanCheck: true });
    const signup = exampleSignup();
    for (const given of [signup, { ...signup, human_token: 'token' }]) {
      expect(await failureOf(visitor().createSignup(given))).toBe('forbidden');
    }
    expect(await admin.raw('email_signups')).toEqual([]);
    expect(fake.calls.writes).toBe(0);
  });

  it('a token is no reason to accept a signup under rules without one', async () => {
    const { visitor, admin } = await start({});
    expect(await failureOf(visitor().createSignup(exampleSignup({ human_token: 'token' })))).toBe('forbidden');
    expect(await admin.raw('email_signups')).toEqual([]);
  });
});
