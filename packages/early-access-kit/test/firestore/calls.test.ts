import type {} from '@early-access-kit/testkit/firestore-setup';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { exampleSession, exampleSignup, exampleUpdate } from '../../src/testing/examples.ts';
import { type Backend, startBackend } from './backend.ts';

/** The billed operations of each action of a visitor: docs/firestore.md computes its costs from these
 * numbers and what rules read: `erased_sessions` for a new session, and the signup for each read of a duplicate. */

let backend: Backend;

beforeEach(async () => {
  backend = await startBackend(inject('firestoreEmulator'));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await backend.stop();
});

async function billed(act: () => Promise<unknown>) {
  const { calls } = backend.database;
  calls.reset();
  const requests = vi.spyOn(globalThis, 'fetch');
  await act();
  const { writes, documentReads, deletes } = calls;
  const count = requests.mock.calls.length;
  requests.mockRestore();
  return { requests: count, writes, documentReads, deletes };
}

describe('billed operations', () => {
  it('for the start of a session: its record and the visitor’s', async () => {
    const adapter = backend.visitor();
    expect(await billed(() => adapter.startSession(exampleSession(Date.now())))).toEqual({
      requests: 2,
      writes: 2,
      documentReads: 0,
      deletes: 0,
    });
  });

  it('for an update: one write', async () => {
    const adapter = backend.visitor();
    const session = exampleSession(Date.now());
    await adapter.startSession(session);
    const flush = () => adapter.updateSession(session.id, exampleUpdate(session, { page_count: 2 }), { final: true });
    expect(await billed(flush)).toEqual({ requests: 1, writes: 1, documentReads: 0, deletes: 0 });
  });

  it('for the first update of a reloaded page: one write, and the denial of the visitor’s record', async () => {
    const session = exampleSession(Date.now());
    await backend.visitor().startSession(session);
    const flush = () => backend.visitor().updateSession(session.id, exampleUpdate(session, { page_count: 2 }));
    expect(await billed(flush)).toEqual({ requests: 2, writes: 1, documentReads: 0, deletes: 0 });
  });

  it('for a signup: one write', async () => {
    const adapter = backend.visitor();
    expect(await billed(() => adapter.createSignup(exampleSignup()))).toEqual({
      requests: 1,
      writes: 1,
      documentReads: 0,
      deletes: 0,
    });
  });

  it('for a duplicate: the allowed read, and three denials', async () => {
    const { email } = exampleSignup();
    await backend.visitor().createSignup(exampleSignup({ email }));
    const again = () => backend.visitor().createSignup(exampleSignup({ email }));
    expect(await billed(again)).toEqual({ requests: 4, writes: 0, documentReads: 1, deletes: 0 });
  });
});
