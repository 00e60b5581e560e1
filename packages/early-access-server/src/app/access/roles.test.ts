import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { API_SCOPES } from './api-keys.ts';
import { describeRefusal, mayDo, type Need, ROLES } from './roles.ts';

const NEEDS: readonly Need[] = [...API_SCOPES, 'account', 'export'];
const needs = fc.subarray([...NEEDS]);

describe('roles', () => {
  it('each includes the rights of those before it, and admins have all', () => {
    fc.assert(
      fc.property(needs, (needs) => {
        const allowed = ROLES.map((role) => mayDo(role, needs));
        expect(allowed).toEqual(allowed.toSorted());
        expect(allowed.at(-1)).toBe(true);
      }),
    );
  });

  it('one need is enough, and without any only admins may', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ROLES), needs, (role, needs) => {
        expect(mayDo(role, needs)).toBe(role === 'admin' || needs.some((need) => mayDo(role, [need])));
      }),
    );
    expect(ROLES.filter((role) => mayDo(role, []))).toEqual(['admin']);
  });

  it('a refusal says who may', () => {
    expect(describeRefusal('viewer', ['people'])).toBe('only editors and admins may do this, and your role is viewer');
    expect(describeRefusal('editor', [])).toBe('only admins may do this, and your role is editor');
  });
});
