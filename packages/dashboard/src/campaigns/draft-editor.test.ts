import type { Campaign, CampaignContent, DraftRevision } from 'early-access-server/admin-api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { adminApi } from '../api/admin-api.ts';
import { signInGate } from '../api/sign-in-gate.ts';
import { DRAFT } from '../testing/campaigns.fixture.ts';
import { DraftEditor } from './draft-editor.ts';

const EMPTY: CampaignContent = { subject: '', body: '', audience: { states: ['subscribed'], source: null } };
const STORED: Campaign = { ...DRAFT, ...EMPTY, subject: 'Stored', id: '7' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake server with at most one draft. It accepts and rejects texts by the real server's rules. */
function fakeServer(draft: Campaign | null) {
  const server = {
    draft,
    created: 0,
    requests: [] as (CampaignContent & DraftRevision)[],
    isDown: false,
    /** Responses get lost. */
    isDeaf: false,
    /** Requests or responses wait until they are released, except those with `keepalive`. */
    holds: null as 'request' | 'response' | null,
    released: Promise.withResolvers<void>(),
    keptAlive: 0,
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const holds = init?.keepalive ? null : server.holds;
    if (init?.keepalive) server.keptAlive += 1;
    if (holds === 'request') await server.released.promise;
    if (server.isDown) throw new TypeError('Failed to fetch');
    const request: CampaignContent & DraftRevision = JSON.parse(String(init?.body));
    server.requests.push(request);
    const { revision, replaces, ...content } = request;
    const isKnown = server.draft !== null && [revision, ...replaces].includes(server.draft.revision);
    if (String(input).endsWith('/campaigns')) {
      if (!isKnown) server.created += 1;
      server.draft = {
        ...STORED,
        ...content,
        revision,
        id: isKnown ? (server.draft?.id ?? '') : `new-${server.created}`,
      };
    } else {
      if (server.draft === null) return Response.json({}, { status: 404 });
      if (!replaces.includes(server.draft.revision))
        return Response.json({ error: { code: 'invalid', message: 'changed elsewhere' } }, { status: 409 });
      server.draft = { ...server.draft, ...content, revision };
    }
    const response = String(input).endsWith('/campaigns')
      ? Response.json(server.draft)
      : new Response(null, { status: 204 });
    if (holds === 'response') await server.released.promise;
    if (server.isDeaf) throw new TypeError('Failed to fetch');
    return response;
  };
  const api = adminApi(fetch, signInGate());
  return Object.assign(server, { editor: () => new DraftEditor(api, server.draft, EMPTY) });
}

it('stores text typed without a pause in one request, and creates a draft once', async () => {
  const server = fakeServer(null);
  const editor = server.editor();
  for (const subject of ['H', 'He', 'Hello']) editor.change({ subject });
  await vi.advanceTimersByTimeAsync(700);
  editor.change({ body: 'World' });
  await editor.save();
  expect(server.requests.map(({ subject, body }) => [subject, body])).toEqual([
    ['Hello', ''],
    ['Hello', 'World'],
  ]);
  expect([server.created, editor.getState().id, editor.isUnsaved]).toEqual([1, 'new-1', false]);
  expect(editor.getState().revision).toBe(server.draft?.revision);
});

it('waits for the request in progress and then stores the text typed since', async () => {
  const server = fakeServer(STORED);
  const editor = server.editor();
  server.holds = 'response';
  editor.change({ subject: 'One' });
  const saved = editor.save();
  editor.change({ subject: 'Two' });
  await vi.advanceTimersByTimeAsync(700);
  expect(server.requests).toHaveLength(1);
  server.holds = null;
  server.released.resolve();
  expect(await saved).toEqual({ id: '7', revision: server.draft?.revision });
  expect(server.requests.map(({ subject }) => subject)).toEqual(['One', 'Two']);
});

it.each([
  ['a draft', STORED, 'request'],
  ['a draft', STORED, 'response'],
  ['a new draft', null, 'response'],
] as const)(
  'stores the last text of %s while the page closes, if the %3$s before it is late',
  async (_, draft, holds) => {
    const server = fakeServer(draft);
    const editor = server.editor();
    server.holds = holds;
    editor.change({ subject: 'One' });
    const saved = editor.save();
    await vi.advanceTimersByTimeAsync(0);
    editor.change({ subject: 'Two' });
    editor.flush();
    await vi.advanceTimersByTimeAsync(0);
    server.released.resolve();
    await saved;
    expect([server.keptAlive, server.draft?.subject, editor.isUnsaved]).toEqual([1, 'Two', false]);
    expect(editor.getState()).toMatchObject({ error: null, isConflict: false, revision: server.draft?.revision });
    expect(server.created).toBe(draft === null ? 1 : 0);
  },
);

it('tries again after a failure, even if only the response was lost', async () => {
  const server = fakeServer(STORED);
  const editor = server.editor();
  server.isDown = true;
  editor.change({ subject: 'One' });
  await expect(editor.save()).rejects.toMatchObject({ kind: 'unreachable' });
  expect(editor.getState()).toMatchObject({ isConflict: false, error: { kind: 'unreachable' } });
  server.isDown = false;
  server.isDeaf = true;
  editor.change({ subject: 'Two' });
  await expect(editor.save()).rejects.toMatchObject({ kind: 'unreachable' });
  server.isDeaf = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(editor.getState()).toMatchObject({ error: null, isSaving: false });
  expect(server.draft?.subject).toBe('Two');
});

it('remembers the stored text after many failures', async () => {
  const server = fakeServer(STORED);
  const editor = server.editor();
  server.isDown = true;
  for (let attempt = 0; attempt < 40; attempt += 1) {
    editor.change({ subject: String(attempt) });
    await editor.save().catch(() => {});
  }
  server.isDown = false;
  await editor.save();
  expect(server.draft?.subject).toBe('39');
  expect(server.requests.at(-1)?.replaces.length).toBeLessThan(30);
});

it('never overwrites another tab’s text, and stores its own as a new draft or not at all', async () => {
  for (const choice of ['new', 'other'] as const) {
    const server = fakeServer(STORED);
    const [one, two] = [server.editor(), server.editor()];
    one.change({ subject: 'Theirs' });
    await one.save();
    two.change({ subject: 'Mine' });
    await expect(two.save()).rejects.toMatchObject({ kind: 'conflict', message: 'changed elsewhere' });
    two.change({ subject: 'Mine, too' });
    two.flush();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([server.draft?.subject, two.getState().isConflict]).toEqual(['Theirs', true]);
    if (choice === 'new') await two.saveAsNew();
    else two.replace(server.draft ?? STORED);
    expect(two.getState()).toMatchObject({
      ...(choice === 'new'
        ? { id: 'new-1', content: { subject: 'Mine, too' } }
        : { id: '7', content: { subject: 'Theirs' } }),
      isConflict: false,
      error: null,
    });
    expect(two.isUnsaved).toBe(false);
  }
});

it('shows another tab’s text if its own is stored, and never returns to an old text', async () => {
  const server = fakeServer(STORED);
  const editor = server.editor();
  const theirs = { ...STORED, subject: 'Theirs', revision: 'theirs' };
  editor.change({ subject: 'Mine' });
  editor.adopt(theirs);
  expect(editor.getState().content.subject).toBe('Mine');
  await editor.save();
  editor.adopt(STORED);
  expect(editor.getState()).toMatchObject({ content: { subject: 'Mine' }, isReplaced: false });
  server.draft = theirs;
  editor.adopt(theirs);
  expect(editor.getState()).toMatchObject({ content: { subject: 'Theirs' }, revision: 'theirs', isReplaced: true });
  editor.change({ subject: 'Both' });
  await editor.save();
  expect([server.draft?.subject, editor.getState().isReplaced]).toEqual(['Both', false]);
});
