import { serveHttp } from '@early-access-kit/testkit/http-server';
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import { CustomProvider, type CustomProviderOptions, initializeAppCheck } from 'firebase/app-check';
import { connectAuthEmulator, initializeAuth, inMemoryPersistence, signInAnonymously } from 'firebase/auth';
import * as full from 'firebase/firestore';
import * as lite from 'firebase/firestore/lite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMITTED, fakeFetch, json } from '../../src/adapters/fake-fetch.fixture.ts';
import { firestoreAdapter } from '../../src/adapters/firestore.ts';
import { exampleSignup } from '../../src/testing/examples.ts';

/** Uses the SDK's own objects, because the adapter reads a `Firestore` without importing the SDK. */

function createApp(options = { projectId: 'shop', apiKey: 'k' }): FirebaseApp {
  const app = initializeApp(options, crypto.randomUUID());
  onTestFinished(() => deleteApp(app));
  return app;
}

/** Signs a visitor in with the SDK's Auth against a fake server that returns this token. */
async function signIn(app: FirebaseApp): Promise<string> {
  const part = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const idToken = `${part({ alg: 'none' })}.${part({ sub: 'ada', iat: now, exp: now + 3_600 })}.`;
  // Auth captured the real `fetch` when it was imported.
  const server = await serveHttp((request, response) => {
    const isSignUp = request.url?.includes('accounts:signUp');
    const signedUp = { idToken, refreshToken: 'refresh', expiresIn: '3600', localId: 'ada' };
    response.end(JSON.stringify(isSignUp ? signedUp : { users: [{ localId: 'ada' }] }));
  });
  onTestFinished(() => server.close());
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, server.origin, { disableWarnings: true });
  await signInAnonymously(auth);
  return idToken;
}

function checkApp(app: FirebaseApp, getToken: CustomProviderOptions['getToken']): void {
  initializeAppCheck(app, { provider: new CustomProvider({ getToken }), isTokenAutoRefreshEnabled: false });
}

async function captureRequest(db: full.Firestore | lite.Firestore) {
  const fetch = fakeFetch(json(COMMITTED));
  await firestoreAdapter({ db, directSignups: true }).createSignup(exampleSignup());
  const [url, init] = fetch.mock.calls[0] ?? [];
  return { url, headers: init?.headers };
}

describe.each([
  ['firebase/firestore', full],
  ['firebase/firestore/lite', lite],
])('a Firestore of %s', (_, sdk) => {
  it('gives its project and key', async () => {
    const { url, headers } = await captureRequest(sdk.getFirestore(createApp()));
    expect(url).toBe('https://firestore.googleapis.com/v1/projects/shop/databases/(default)/documents:commit?key=k');
    expect(headers).toEqual({});
  });

  it('gives its named database and host', async () => {
    const db = sdk.initializeFirestore(createApp(), { host: 'firestore.example', ssl: true }, 'other');
    expect((await captureRequest(db)).url).toBe(
      'https://firestore.example/v1/projects/shop/databases/other/documents:commit?key=k',
    );
  });

  it('gives the emulator that it is connected to', async () => {
    const db = sdk.getFirestore(createApp());
    sdk.connectFirestoreEmulator(db, '127.0.0.1', 8_081);
    expect((await captureRequest(db)).url).toContain('http://127.0.0.1:8081/v1/projects/shop/');
  });

  it('gives the tokens of Auth and App Check, also if they start later', async () => {
    const app = createApp();
    const adapter = firestoreAdapter({ db: sdk.getFirestore(app), directSignups: true });
    const idToken = await signIn(app);
    checkApp(app, async () => ({ token: 'app-check', expireTimeMillis: Date.now() + 3_600_000 }));
    const fetch = fakeFetch(json(COMMITTED));
    await adapter.createSignup(exampleSignup());
    expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({
      'X-Firebase-AppCheck': 'app-check',
      Authorization: `Bearer ${idToken}`,
    });
  });

  it('is used without tokens if nobody is signed in', async () => {
    const app = createApp();
    initializeAuth(app, { persistence: inMemoryPersistence });
    expect((await captureRequest(sdk.getFirestore(app))).headers).toEqual({});
  });

  it('is used without tokens if the SDK fails', async () => {
    const db = sdk.getFirestore(createApp());
    const container = {
      getProvider() {
        throw new Error('deleted');
      },
    };
    const app = { options: db.app.options, container };
    const fetch = fakeFetch(json(COMMITTED));
    await firestoreAdapter({ db: { toJSON: () => ({ ...db.toJSON(), app }) }, directSignups: true }).createSignup(
      exampleSignup(),
    );
    expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({});
  });
});

it.each([undefined, null, {}, { toJSON: () => ({ projectId: 'shop' }) }])(
  'anything else throws an error that explains what to pass: %j',
  (db) => {
    // @ts-expect-error -- for pages without types
    expect(() => firestoreAdapter({ db })).toThrow('projectId and apiKey, or db');
  },
);
