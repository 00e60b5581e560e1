import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exampleSession, exampleSignup, exampleUpdate } from '../../src/testing/examples.ts';
import { type Backend, startBackend } from './backend.ts';

/** What each thing that a visitor does is billed as: docs/firestore.md computes its costs from these numbers. */

let backend: Backend;

beforeEach(async () => {
  backend = await startBackend();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await backend.stop();
});

async function billed(act: () => Promise<unknown>) {
  const { calls } = backend.fake;
  calls.reset();
  const requests = vi.spyOn(globalThis, 'fetch');
  await act();
  const { writes, documentReads, deletes } = calls;
  const count = requests.mock.calls.length;
  requests.mockRestore();
  return { requests: count, writes, documentReads, deletes };
}

describe('what is billed', () => {
  it('for the start of a visit: its record and the visitor’s', async () => {
    const adapter = backend.visitor();
    expect(await billed(() => adapter.startSession(exampleSession(Date.now())))).toEqual({
      requests: 2,
      writes: 2,
      // The rules look it up among the erased ones.
      documentReads: 1,
      deletes: 0,
    });
  });

  it('for a flush: one write', async () => {
    const adapter = backend.visitor();
    const session = exampleSession(Date.now());
    await adapter.startSession(session);
    const flush = () => adapter.updateSession(session.id, exampleUpdate(session, { page_count: 2 }), { final: true });
    expect(await billed(flush)).toEqual({ requests: 1, writes: 1, documentReads: 0, deletes: 0 });
  });

  it('for the first flush of a page that reloaded: one write, beside the refusal to see the visitor again', async () => {
    const session = exampleSession(Date.now());
    await backend.visitor().startSession(session);
    const flush = () => backend.visitor().updateSession(session.id, exampleUpdate(session, { page_count: 2 }));
    expect(await billed(flush)).toEqual({ requests: 2, writes: 1, documentReads: 0, deletes: 0 });
  });

  it('for a sign-up: one write', async () => {
    const adapter = backend.visitor();
    expect(await billed(() => adapter.createSignup(exampleSignup()))).toEqual({
      requests: 1,
      writes: 1,
      documentReads: 0,
      deletes: 0,
    });
  });

  it('for a duplicate: the read that is allowed, beside three refusals, and what the rules look up for each read', async () => {
    const { email } = exampleSignup();
    await backend.visitor().createSignup(exampleSignup({ email }));
    const again = () => backend.visitor().createSignup(exampleSignup({ email }));
    expect(await billed(again)).toEqual({ requests: 4, writes: 0, documentReads: 4, deletes: 0 });
  });
});
