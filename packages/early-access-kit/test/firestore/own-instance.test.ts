import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import * as full from 'firebase/firestore';
import * as lite from 'firebase/firestore/lite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMITTED, fakeFetch, json } from '../../src/adapters/fake-fetch.fixture.ts';
import { firestoreAdapter } from '../../src/adapters/firestore.ts';
import { exampleSignup } from '../../src/testing/examples.ts';

/** The SDK's own objects, because the adapter reads a `Firestore` without importing the SDK. */

function appOf(options = { projectId: 'shop', apiKey: 'k' }): FirebaseApp {
  const app = initializeApp(options, crypto.randomUUID());
  onTestFinished(() => deleteApp(app));
  return app;
}

/** An app as the SDK's own packages see it. Its public type leaves the container out. */
interface AppWithServices extends FirebaseApp {
  readonly container: { addComponent(component: object): void };
}

function hasServices(app: FirebaseApp): app is AppWithServices {
  return 'container' in app;
}

/** Registers a service as the SDK's packages for Auth and App Check do. */
function provide(app: FirebaseApp, name: 'auth-internal' | 'app-check-internal', getToken: () => Promise<unknown>) {
  if (!hasServices(app)) throw new Error('the SDK has no container of services');
  app.container.addComponent({
    name,
    type: 'PRIVATE',
    instantiationMode: 'LAZY',
    instanceFactory: () => ({ getToken }),
    multipleInstances: false,
    serviceProps: {},
    onInstanceCreated: null,
  });
}

async function requestOf(db: full.Firestore | lite.Firestore) {
  const fetch = fakeFetch(json(COMMITTED));
  await firestoreAdapter({ db }).createSignup(exampleSignup());
  const [url, init] = fetch.mock.calls[0] ?? [];
  return { url, headers: init?.headers };
}

describe.each([
  ['firebase/firestore', full],
  ['firebase/firestore/lite', lite],
])('a Firestore of %s', (_, sdk) => {
  it('gives its project and key', async () => {
    const { url, headers } = await requestOf(sdk.getFirestore(appOf()));
    expect(url).toBe('https://firestore.googleapis.com/v1/projects/shop/databases/(default)/documents:commit?key=k');
    expect(headers).toEqual({});
  });

  it('gives its named database and host', async () => {
    const db = sdk.initializeFirestore(appOf(), { host: 'firestore.example', ssl: true }, 'other');
    expect((await requestOf(db)).url).toBe(
      'https://firestore.example/v1/projects/shop/databases/other/documents:commit?key=k',
    );
  });

  it('gives the emulator that it is connected to', async () => {
    const db = sdk.getFirestore(appOf());
    sdk.connectFirestoreEmulator(db, '127.0.0.1', 8_081);
    expect((await requestOf(db)).url).toContain('http://127.0.0.1:8081/v1/projects/shop/');
  });

  it('gives the tokens of Auth and App Check, also if they start later', async () => {
    const app = appOf();
    const adapter = firestoreAdapter({ db: sdk.getFirestore(app) });
    provide(app, 'auth-internal', async () => ({ accessToken: 'id' }));
    provide(app, 'app-check-internal', async () => ({ token: 'app-check' }));
    const fetch = fakeFetch(json(COMMITTED));
    await adapter.createSignup(exampleSignup());
    expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({
      'X-Firebase-AppCheck': 'app-check',
      Authorization: 'Bearer id',
    });
  });

  it('is used without tokens if nobody is signed in, or a token cannot be had', async () => {
    const app = appOf();
    provide(app, 'auth-internal', async () => null);
    provide(app, 'app-check-internal', () => Promise.reject(new Error('blocked')));
    expect((await requestOf(sdk.getFirestore(app))).headers).toEqual({});
  });
});

it.each([undefined, null, {}, { toJSON: () => ({ projectId: 'shop' }) }])(
  'anything else is an error that says what to pass: %j',
  (db) => {
    // @ts-expect-error -- for pages without types
    expect(() => firestoreAdapter({ db })).toThrow('or db: getFirestore()');
  },
);
