import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConstants, type Environment, readStorage } from '../build/storage.ts';

const PROJECT = { STORAGE: 'firestore', FIREBASE_PROJECT_ID: 'p', FIREBASE_API_KEY: 'k', FIREBASE_APP_ID: 'a' };

/** Returns the chunks of the browser's code; with `ssr`, those of the prerendering code. */
async function buildChunks(env: Environment, ssr?: string): Promise<readonly Rolldown.OutputChunk[]> {
  const built = await build({
    root: path.resolve(import.meta.dirname, '..'),
    mode: 'production',
    logLevel: 'error',
    define: createConstants(readStorage(env)),
    build: { write: false, ...(ssr && { ssr }) },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('the build is still watching');
  return output.output.filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
}

/** Returns the code that every visit runs, the tracker's part of it (loaded first), and the code loaded on demand. */
async function buildBundle(env: Environment): Promise<{ first: string; now: string; later: string }> {
  const chunks = await buildChunks(env);
  const first = withImports(chunks, ({ isEntry }) => isEntry);
  const now = withImports(chunks, ({ isEntry, name }) => isEntry || name === 'app');
  const joinCode = (some: readonly Rolldown.OutputChunk[]) => some.map(({ code }) => code).join('\n');
  return {
    first: joinCode(first),
    now: joinCode(now),
    later: joinCode(chunks.filter((chunk) => !now.includes(chunk))),
  };
}

function withImports(chunks: readonly Rolldown.OutputChunk[], isWanted: (chunk: Rolldown.OutputChunk) => boolean) {
  const names = new Set(chunks.filter(isWanted).map(({ fileName }) => fileName));
  for (const name of names) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(imported);
  }
  return chunks.filter(({ fileName }) => names.has(fileName));
}

/** Limits of the code that a visit loads first: the tracker and its adapter. */
const FIRST_BYTES = { http: 3_900, firestore: 6_200 };
/**
 * Limits of all code of a visit that does not open the overlay. With React and static components it was 69,900 bytes.
 */
const ALL_BYTES = { http: 16_000, firestore: 18_400 };

const HTTP = '/welcome-email';
const FIRESTORE = 'updateTransforms';
/** Strings that identify the library and its script. Only the privacy note may mention reCAPTCHA. */
const SDK = /grecaptcha|recaptcha\/|initializeApp|@firebase/i;

// In Vitest's own mode, bundlers would keep the checks for mistakes in a host's code.
beforeEach(() => void vi.stubEnv('NODE_ENV', 'production'));
afterEach(() => void vi.unstubAllEnvs());

describe('the page’s scripts', () => {
  it('start with the tracker and its adapter, without the widgets', async () => {
    for (const [env, storage] of [
      [{}, 'http'],
      [PROJECT, 'firestore'],
    ] as const) {
      const { first, now } = await buildBundle(env);
      expect(first).toContain('current_session');
      expect(first).not.toContain('eak-form');
      expect(now).toContain('eak-form');
      expect(brotliCompressSync(first).length).toBeLessThanOrEqual(FIRST_BYTES[storage]);
      expect(brotliCompressSync(now).length).toBeLessThanOrEqual(ALL_BYTES[storage]);
    }
  });

  it('contain no static components', async () => {
    const { now, later } = await buildBundle({});
    const [entry] = await buildChunks({}, 'src/entry-server.tsx');
    for (const text of ['before-after__table', 'benefits__list', 'how-it-works__list', 'site-footer__privacy']) {
      expect(entry?.code).toContain(text);
      expect(now + later).not.toContain(text);
    }
  });

  it('contain no Firestore code in the self-hosted build', async () => {
    const { now, later } = await buildBundle({});
    expect(now).toContain(HTTP);
    expect(now + later).not.toContain(FIRESTORE);
    expect(now + later).not.toMatch(SDK);
  });

  it('load the server adapter on demand, and contain no Firebase SDK, in the Firestore build', async () => {
    const { now, later } = await buildBundle(PROJECT);
    expect(now).toContain(FIRESTORE);
    expect(now).not.toContain(HTTP);
    expect(later).toContain(HTTP);
    const [entry] = await buildChunks(PROJECT, 'src/entry-server.tsx');
    expect(entry?.code).toContain('no third parties');
    expect(now + later).not.toMatch(SDK);
  });

  it('load Firebase’s library for App Check lazily', async () => {
    const env = { ...PROJECT, APP_CHECK_SITE_KEY: 'the-site-key' };
    const { now, later } = await buildBundle(env);
    const [entry] = await buildChunks(env, 'src/entry-server.tsx');
    expect(entry?.code).toContain('Google’s reCAPTCHA checks each visit');
    expect(now).toContain('the-site-key');
    expect(now).not.toMatch(SDK);
    expect(later).toMatch(SDK);
  });
});
