import { describe, expect, it } from 'vitest';
import { type Statement, statement } from './statement.ts';

/** Makes statements, and collects what is sent. */
function harness() {
  const sent: [string, readonly unknown[]][] = [];
  const send = async (...call: (typeof sent)[number]) => sent.push(call);
  const sql = (texts: TemplateStringsArray, ...values: readonly unknown[]): Statement<number> =>
    statement(texts, values, send);
  return { sent, send, sql };
}

describe('a statement', () => {
  it('runs when it is awaited, with its values as parameters', async () => {
    const { sent, sql } = harness();
    const query = sql`SELECT ${'a'}, ${null}, ${{ build: 'no statement' }}`;
    expect(sent).toEqual([]);
    expect(await query).toBe(1);
    expect(sent).toEqual([['SELECT $1, $2, $3', ['a', null, { build: 'no statement' }]]]);
  });

  it('is a part of another one, whose parameters it continues', async () => {
    const { sent, sql } = harness();
    const inner = sql`b = ${2} AND c = ${3}`;
    await sql`SELECT WHERE a = ${1} AND ${inner} AND ${sql`true`} AND d = ${4}`;
    expect(sent).toEqual([['SELECT WHERE a = $1 AND b = $2 AND c = $3 AND true AND d = $4', [1, 2, 3, 4]]]);
  });

  it('with a single text names its parameters itself', async () => {
    const { sent, send } = harness();
    await statement(['SELECT $2, $1'], ['a', 'b'], send);
    expect(sent).toEqual([['SELECT $2, $1', ['a', 'b']]]);
  });

  it('rejects with what went wrong', async () => {
    const failing = statement(['SELECT 1'], [], () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
  });
});
