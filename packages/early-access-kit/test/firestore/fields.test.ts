import type {} from '@early-access-kit/testkit/firestore-setup';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { getFailureCode } from '../../src/testing/contract.ts';
import { exampleSignup } from '../../src/testing/examples.ts';
import { type Backend, startBackend } from './backend.ts';

/** Signups through the adapter with generated rules, in addition to the contract. */

const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true },
  terms: { type: 'checkbox', label: 'I agree; it’s "fine"', consent: true },
};
const VALUES = { company: "O'Brien & Söhne 🦊", terms: 'I agree; it’s "fine"' };

const running: Backend[] = [];
async function start(options: Parameters<typeof startBackend>[1] = { fields: FIELDS }) {
  const backend = await startBackend(inject('firestoreEmulator'), options);
  running.push(backend);
  return backend;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((backend) => backend.stop()));
});

it('a signup with fields is invalid on a site that declares none', async () => {
  const { visitor } = await start({});
  expect(await getFailureCode(visitor().createSignup(exampleSignup({ fields: VALUES })))).toBe('invalid');
});

describe('under rules that leave signups to the function', () => {
  it('a direct signup is forbidden, with a token, without one, and for an address on the list', async () => {
    const { visitor, admin } = await start({ directSignups: false });
    const signup = exampleSignup();
    for (const given of [signup, { ...signup, human_token: 'token' }]) {
      expect(await getFailureCode(visitor().createSignup(given))).toBe('forbidden');
    }
    expect(await admin.raw('email_signups')).toEqual([]);
  });

  it('a token does not make rules without tokens accept a signup', async () => {
    const { visitor, admin } = await start({});
    expect(await getFailureCode(visitor().createSignup(exampleSignup({ human_token: 'token' })))).toBe('forbidden');
    expect(await admin.raw('email_signups')).toEqual([]);
  });
});
