import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { createConstants, type Environment, readStorage } from '../build/storage.ts';

const PROJECT = { STORAGE: 'firestore', FIREBASE_PROJECT_ID: 'p', FIREBASE_API_KEY: 'k', FIREBASE_APP_ID: 'a' };

/** The code that every visit runs, of it that of the tracker, which comes first, and the code that is loaded on demand. */
async function buildBundle(env: Environment): Promise<{ first: string; now: string; later: string }> {
  const built = await build({
    root: path.resolve(import.meta.dirname, '..'),
    logLevel: 'error',
    define: createConstants(readStorage(env)),
    build: { write: false },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('the build is still watching');
  const chunks = output.output.filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
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

/** The code that a visit loads before React: the tracker and its adapter. */
const FIRST_BYTES = { http: 3_900, firestore: 6_200 };

const HTTP = '/welcome-email';
const FIRESTORE = 'updateTransforms';
/** Strings that identify the library and the script that it loads. Only the privacy note may mention reCAPTCHA. */
const SDK = /grecaptcha|recaptcha\/|initializeApp|@firebase/i;

describe('the page’s scripts', () => {
  it('begin with the tracker and its adapter, without React', async () => {
    for (const [env, bytes] of [
      [{}, FIRST_BYTES.http],
      [PROJECT, FIRST_BYTES.firestore],
    ] as const) {
      const { first, now } = await buildBundle(env);
      expect(first).toContain('current_session');
      expect(first).not.toContain('react.');
      expect(now).toContain('react.transitional.element');
      expect(brotliCompressSync(first).length).toBeLessThanOrEqual(bytes);
    }
  });

  it('contain no Firestore code in the self-hosted build', async () => {
    const { now, later } = await buildBundle({});
    expect(now).toContain(HTTP);
    expect(now + later).not.toContain(FIRESTORE);
    expect(now + later).not.toMatch(SDK);
  });

  it('contain no server adapter and no Firebase SDK in the Firestore build', async () => {
    const { now, later } = await buildBundle(PROJECT);
    expect(now).toContain(FIRESTORE);
    expect(now + later).not.toContain(HTTP);
    expect(now).toContain('no third parties');
    expect(now + later).not.toMatch(SDK);
  });

  it('load Firebase’s library for App Check lazily', async () => {
    const { now, later } = await buildBundle({ ...PROJECT, APP_CHECK_SITE_KEY: 'the-site-key' });
    expect(now).toContain('the-site-key');
    expect(now).toContain('Google’s reCAPTCHA checks each visit');
    expect(now).not.toMatch(SDK);
    expect(later).toMatch(SDK);
  });
});
