import { anyText } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { anything, broken } from '@early-access-kit/testkit/hostile';
import { ATTRIBUTION, sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type FieldDeclarations, parseEmail, parseSessionStart, parseSessionUpdate } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readSignup } from '../../../app/signup/read-signup.ts';
import { email, sessionStart, sessionUpdate, signup } from './visitors.ts';

const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 80 },
  site: { type: 'url', label: 'Website' },
  plan: { type: 'select', label: 'Plan', options: ['free', { value: 'pro', label: 'Professional' }] },
  news: { type: 'checkbox', label: 'Send me news', consent: true },
};
const VALUES = { company: 'Acme', site: 'acme.example', plan: 'pro', news: 'Send me news' };

const schemas = [
  {
    name: 'signup',
    schema: signup({}, false),
    parse: (value: unknown) => readSignup(value, {}),
    record: (): object => ({ ...signupOf(), ...ATTRIBUTION }),
  },
  {
    name: 'signup with fields',
    schema: signup(FIELDS, false),
    parse: (value: unknown) => readSignup(value, FIELDS),
    record: (): object => ({ ...signupOf(), fields: VALUES }),
  },
  { name: 'session start', schema: sessionStart, parse: parseSessionStart, record: (): object => sessionOf() },
  {
    name: 'session update',
    schema: sessionUpdate,
    parse: parseSessionUpdate,
    record: (): object => updateOf(sessionOf()),
  },
];

function accepts(parse: (value: unknown) => unknown, value: unknown): boolean {
  try {
    parse(value);
    return true;
  } catch {
    return false;
  }
}

/** As in a request: without what JSON cannot say. */
const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

describe.each(schemas)('the schema of a $name', ({ schema, parse, record }) => {
  const validate = new Ajv2020({ strict: false }).compile(z.toJSONSchema(schema, { io: 'input' }));

  it('accepts what the parser accepts, and nothing else', () => {
    expect([schema.safeParse(record()).success, accepts(parse, record()), validate(record())]).toEqual([
      true,
      true,
      true,
    ]);
    fc.assert(
      fc.property(fc.oneof(broken(record), anything), (given) => {
        const value = parsed(given);
        const isAccepted = accepts(parse, value);
        expect(schema.safeParse(value).success).toBe(isAccepted);
        // JSON Schema cannot say everything, so it may also accept what the route refuses, never the reverse.
        if (isAccepted) expect(validate(value)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses the same single fields', () => {
    for (const name of Object.keys(record())) {
      fc.assert(
        fc.property(fc.oneof(anything, fc.stringMatching(/^__\w{0,9}__$/)), (given) => {
          const value = parsed({ ...record(), [name]: given });
          expect([name, schema.safeParse(value).success]).toEqual([name, accepts(parse, value)]);
        }),
        { numRuns: 40 },
      );
    }
  });
});

it('the schema of an address accepts what the parser accepts', () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), anyText(), anything), (value) => {
      expect(email.safeParse(value).success).toBe(accepts(parseEmail, value));
    }),
    { numRuns: 200 },
  );
});
