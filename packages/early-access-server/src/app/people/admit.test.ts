import { expect, it } from 'vitest';
import { hashToken, newToken } from '../access/secrets.ts';
import type { AdmitResult } from '../ports/list-store.ts';
import { type Applicant, admit } from './admit.ts';

const TOKEN = newToken();
const [UNKNOWN, EXPIRED, GONE] = [{ result: 'unknown' }, { result: 'expired' }, { result: 'gone' }] as const;
const ADMITTED = { result: 'admitted', id: 'ada' } as const;

it.each<[string, Applicant, AdmitResult, 'redeemed' | 'unknown' | 'expired' | 'gone', AdmitResult, number]>([
  ['an invited address', { email: 'a@x.io' }, ADMITTED, 'unknown', ADMITTED, 0],
  ['an invited address keeps the invitation', { email: 'a@x.io', token: TOKEN }, ADMITTED, 'redeemed', ADMITTED, 0],
  ['another address with an invitation', { email: 'b@x.io', token: TOKEN }, UNKNOWN, 'redeemed', ADMITTED, 1],
  ['no address with an invitation', { email: null, token: TOKEN }, ADMITTED, 'redeemed', ADMITTED, 1],
  ['an address that left, with a made-up token', { email: 'a@x.io', token: TOKEN }, GONE, 'unknown', GONE, 1],
  ['an expired link', { email: 'b@x.io', token: TOKEN }, UNKNOWN, 'expired', EXPIRED, 1],
  ['a link of a person who left', { email: 'b@x.io', token: TOKEN }, EXPIRED, 'gone', GONE, 1],
  ['what is no token', { email: 'b@x.io', token: 'x' }, EXPIRED, 'redeemed', EXPIRED, 0],
  ['nothing', { email: null }, ADMITTED, 'redeemed', UNKNOWN, 0],
])('decides on %s', async (_, applicant, byAddress, byLink, expected, redeemed) => {
  const hashes: string[] = [];
  const list = {
    admit: async () => byAddress,
    redeemInvite: async (hash: string) => {
      hashes.push(hash);
      return byLink === 'redeemed' ? { result: byLink, id: 'ada' } : { result: byLink };
    },
  };
  expect(await admit(list as Parameters<typeof admit>[0], applicant)).toEqual(expected);
  expect(hashes).toEqual(Array.from({ length: redeemed }, () => hashToken(TOKEN)));
});
