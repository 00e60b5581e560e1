import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fc } from '@early-access-kit/testkit/fast-check';
import { declarations, generateValues } from '@early-access-kit/testkit/fields';
import { connectFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';
import type {} from '@early-access-kit/testkit/firestore-setup';
import { signupOf } from '@early-access-kit/testkit/records';
import {
  checkDeclarations,
  type FieldDeclaration,
  type FieldDeclarations,
  parseFields,
} from 'early-access-kit/internal';
import { describe, expect, inject, it } from 'vitest';
import { newProjectId } from '../fixtures/firestore.ts';
import { RULES_FILE } from '../package-files.ts';
import { generateRules } from './generate-rules.ts';

const PROJECT = newProjectId();
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;
const TEMPLATE = readFileSync(RULES_FILE, 'utf8');
const ALLOWED = 200;
const DENIED = 403;
const LOCKED = 409;
const AS_ADMIN = { authorization: 'Bearer owner' };
/** Firestore's maximum size of rules, in bytes. */
const LARGEST_RULES = 256 * 1_024;

const emulator = connectFirestoreEmulator(inject('firestoreEmulator'));
const database = emulator.database(PROJECT);

async function send(verb: string, body: object, headers = {}): Promise<number> {
  const init = { method: 'POST', body: JSON.stringify(body), headers };
  return (await fetch(`${emulator.url}/v1/${ROOT}:${verb}`, init)).status;
}

/** Returns the status of creating a signup with these values as `fields`. */
function signUp(fields?: unknown): Promise<number> {
  const signup = signupOf();
  const id = createHash('sha256').update(signup.email).digest('hex');
  const update = {
    name: `${ROOT}/email_signups/${id}`,
    fields: Object.fromEntries(
      Object.entries({ ...signup, ...(fields !== undefined && { fields }) }).map(([name, value]) => [
        name,
        wire(value),
      ]),
    ),
  };
  const updateTransforms = [{ fieldPath: 'created_at', setToServerValue: 'REQUEST_TIME' }];
  return send('commit', { writes: [{ update, updateTransforms, currentDocument: { exists: false } }] });
}

/** Converts JSON to the values of Firestore's REST API. */
function wire(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'number') return { doubleValue: Number.isFinite(value) ? value : String(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(wire) } };
  if (typeof value !== 'object' || value === null) return { nullValue: null };
  return {
    mapValue: { fields: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wire(inner)])) },
  };
}

async function use(fields: FieldDeclarations, directSignups = true): Promise<void> {
  await database.setRules(generateRules(TEMPLATE, { fields: checkDeclarations(fields), directSignups }));
}

/** JSON escapes lone surrogates, and Firestore replaces them before the rules run, so the adapter rejects them. */
function isWellFormed(values: unknown): boolean {
  return !/\\ud[89a-f]/.test(JSON.stringify(values) ?? '');
}

/** Returns core's normal form of the values: undefined for none, null if it rejects them. */
function normal(fields: FieldDeclarations, values: unknown) {
  try {
    return parseFields(fields, values);
  } catch {
    return null;
  }
}

describe('rules with fields', () => {
  it('accept the normalized values that core accepts, and no others', async () => {
    const seen = { accepted: 0, refused: 0, changed: 0 };
    const cases = declarations.chain((fields) =>
      fc.tuple(
        fc.constant(fields),
        fc.array(generateValues(fields).filter(isWellFormed), { minLength: 4, maxLength: 4 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([fields, many]) => {
        await use(fields);
        const check = async (values: unknown) => {
          const parsed = normal(fields, values);
          // Compared as JSON, because values arrive as JSON, without undefined and without a special key __proto__.
          const isNormal = parsed !== null && same(values, parsed ?? {});
          seen[parsed === null ? 'refused' : isNormal ? 'accepted' : 'changed'] += 1;
          expect((await signUp(values)) === ALLOWED).toBe(isNormal);
          if (parsed !== null) expect(await signUp(parsed)).toBe(ALLOWED);
        };
        await Promise.all(many.map(check));
      }),
      { numRuns: 150 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(15);
  });

  it.each<[string, FieldDeclaration, (length: number) => string, number]>([
    ['a text', { type: 'text', label: 'A', maxLength: 1_000 }, (length) => 'é'.repeat(length), 1_000],
    [
      'a text outside the basic plane',
      { type: 'text', label: 'A', maxLength: 5 },
      (length) => 'xxxxxx🦊'.slice(-length),
      5,
    ],
    ['a text without a limit', { type: 'text', label: 'A' }, (length) => 'x'.repeat(length), 200],
    ['an address', { type: 'url', label: 'A' }, (length) => 'https://x.io/'.padEnd(length, 'x'), 200],
  ])('limit the length of %s like core', async (_, field, make, limit) => {
    const fields = { own: field };
    await use(fields);
    for (const [length, status] of [[limit, ALLOWED] as const, [limit + 1, DENIED] as const]) {
      expect(normal(fields, { own: make(length) }) !== null).toBe(status === ALLOWED);
      expect(await signUp({ own: make(length) })).toBe(status);
    }
  });

  it('treat every character like core, at the edge of a text and inside an address', async () => {
    const fields = checkDeclarations({ note: { type: 'text', label: 'N' }, site: { type: 'url', label: 'S' } });
    await use(fields);
    const spaces = Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) =>
      /\s/.test(String.fromCharCode(code)),
    );
    const neighbours = [0x167f, 0x1681, 0x200b, 0x202a, 0x2060, 0x3001, 0xfefe, 0xff00];
    for (const code of new Set([...Array(0xa2).keys(), ...spaces, ...neighbours])) {
      const character = String.fromCharCode(code);
      const texts = [
        { note: `${character}a` },
        { note: `a${character}` },
        { note: `a${character}b` },
        { site: `https://a${character}.io` },
        { site: `https://a.io/${character}b` },
      ];
      const decisions = texts.map((values) => (same(values, normal(fields, values)) ? ALLOWED : DENIED));
      expect([code, ...(await Promise.all(texts.map(signUp)))]).toEqual([code, ...decisions]);
    }
  });

  it('require required fields, but accept a signup from a page loaded before the declaration', async () => {
    await use({ company: { type: 'text', label: 'Company', required: true }, site: { type: 'url', label: 'Site' } });
    expect(await signUp()).toBe(ALLOWED);
    expect(await signUp({ company: 'Acme' })).toBe(ALLOWED);
    for (const values of [{}, { site: 'https://a.io' }, null, 'Acme', [], { company: 'Acme', other: 'x' }]) {
      expect(await signUp(values)).toBe(DENIED);
    }
  });

  it('cannot be opened by any text of the declaration', async () => {
    const attack = "'); } match /{all=**} { allow read, write: if true; } //";
    await use({
      a: { type: 'select', label: attack, options: [attack, '.*', 'x|y'] },
      b: { type: 'checkbox', consent: true, label: attack },
    });
    expect(await signUp({ a: attack, b: attack })).toBe(ALLOWED);
    for (const values of [{ a: 'anything' }, { a: 'x' }, { a: "'" }, { b: true }])
      expect(await signUp(values)).toBe(DENIED);
    expect(await send('commit', { writes: [{ update: { name: `${ROOT}/sessions/anything`, fields: {} } }] })).toBe(
      DENIED,
    );
  });

  it('work for the largest declarations, in size and in evaluated expressions', async () => {
    const name = (index: number) => `f${index}`.padEnd(40, '_');
    const twenty = (field: FieldDeclaration) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [name(index), field]));
    const addresses: FieldDeclarations = twenty({ type: 'url', label: 'A', maxLength: 200 });
    await use(addresses);
    const longest = Object.fromEntries(Object.keys(addresses).map((key) => [key, 'https://x.io/'.padEnd(200, 'x')]));
    expect(await signUp(longest)).toBe(ALLOWED);
    // The types with the most expressions to evaluate.
    const options = Array.from({ length: 15 }, (_, index) => `€ ${index}`);
    for (const [field, value] of [
      [{ type: 'number', label: 'N', min: -1, max: 9, decimals: 6 }, '-0.5'],
      [{ type: 'date', label: 'D', min: '2026-01-01', max: '2026-12-31' }, '2026-11-29'],
      [{ type: 'choices', label: 'C', options }, options.join(' | ')],
      [{ type: 'textarea', label: 'T', maxLength: 200 }, 'x\n'.repeat(100).trim()],
    ] as const) {
      const declared = twenty(field);
      await use(declared);
      expect([field.type, await signUp(Object.fromEntries(Object.keys(declared).map((key) => [key, value])))]).toEqual([
        field.type,
        ALLOWED,
      ]);
    }
    const consents = (letter: string, texts: number): FieldDeclarations =>
      twenty({
        type: 'checkbox',
        label: letter.repeat(200),
        consent: true,
        acceptedTexts: Array.from({ length: texts }, (_, index) => `${index}`.padEnd(200, letter)),
      });
    await use(consents('x', 4));
    const accepted = '3'.padEnd(200, 'x');
    expect(await signUp(Object.fromEntries(Object.keys(addresses).map((key) => [key, accepted])))).toBe(ALLOWED);
    // The characters that take the most bytes in rules. Google's emulator does not accept rules above about 100 kB.
    const largest = consents('\u20ac', 4);
    const rules = generateRules(TEMPLATE, { fields: checkDeclarations(largest) });
    expect(Buffer.byteLength(rules)).toBeLessThan(LARGEST_RULES);
    const more = { ...largest, [name(0)]: consents('\u20ac', 5)[name(0)] };
    expect(() => checkDeclarations(more)).toThrow('20000');
  });
});

describe('rules that leave signups to the function', () => {
  it('let no browser write signups or look up addresses, but still return the time', async () => {
    await use({}, false);
    expect(await signUp()).toBe(DENIED);
    const read = (path: string) => send('batchGet', { documents: [`${ROOT}/${path}`] });
    expect(await read('visitors/nobody')).toBe(ALLOWED);
    // Otherwise the adapter would treat any denied signup as a duplicate.
    expect(await read('email_signups/nobody')).toBe(DENIED);
    expect(await read(`email_signups/${'a'.repeat(64)}`)).toBe(DENIED);
    await database.put('email_signups/listed', { submission_id: { stringValue: 'mine-12345' } });
    expect(await read('email_signups/listed/submissions/mine-12345')).toBe(DENIED);
    await use({}, true);
    expect(await read('email_signups/listed/submissions/mine-12345')).toBe(ALLOWED);
  });

  it.each([
    ['nothing', false, ALLOWED],
    // The read is denied, but the rules have looked up the document.
    ['the signup, if browsers write signups', true, LOCKED],
  ])('an anonymous transaction locks %s', async (_, directSignups, status) => {
    await use({}, directSignups);
    for (const [id, path] of [
      ['read', ''],
      ['asked-for', '/submissions/mine-12345'],
    ]) {
      const signup = `email_signups/${id}-${directSignups}`;
      await database.put(signup, { submission_id: { stringValue: 'mine-12345' } });
      const begun = await fetch(`${emulator.url}/v1/${ROOT}:beginTransaction`, { method: 'POST', body: '{}' });
      const { transaction }: { transaction: string } = JSON.parse(await begun.text());
      await send('batchGet', { documents: [`${ROOT}/${signup}${path}`], transaction });
      const update = { name: `${ROOT}/${signup}`, fields: {} };
      expect([path, await send('commit', { writes: [{ update }] }, AS_ADMIN)]).toEqual([path, status]);
    }
  });
});

it('are the unchanged template without fields and direct signups', () => {
  expect(generateRules(TEMPLATE, {})).toBe(TEMPLATE);
  expect(() => generateRules('', { directSignups: true })).toThrow('signupsAreDirect');
});

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    : value;
}
