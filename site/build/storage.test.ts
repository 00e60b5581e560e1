import { describe, expect, it } from 'vitest';
import { createConstants, outputFolder, readStorage } from './storage.ts';

const PROJECT = {
  STORAGE: 'firestore',
  FIREBASE_CONFIG: '{"projectId":"my-project","apiKey":"key","appId":"1:2:web:3"}',
};

describe('STORAGE', () => {
  it('is the server of the same origin by default', () => {
    for (const env of [{}, { STORAGE: '' }, { STORAGE: 'http', FIREBASE_PROJECT_ID: 'unused' }]) {
      expect(readStorage(env)).toEqual({ kind: 'http' });
    }
  });

  it('reads the config object or single values, which take precedence', () => {
    expect(readStorage(PROJECT)).toEqual({
      kind: 'firestore',
      settings: { projectId: 'my-project', apiKey: 'key', appId: '1:2:web:3', functionsRegion: 'us-central1' },
      appCheckSiteKey: null,
    });
    expect(readStorage({ ...PROJECT, FIREBASE_PROJECT_ID: 'other', FIREBASE_API_KEY: 'second' })).toMatchObject({
      settings: { projectId: 'other', apiKey: 'second' },
    });
  });

  it('reads the region, the retention and the App Check key', () => {
    const more = {
      DATABASE_ID: 'early',
      FUNCTIONS_REGION: 'europe-west1',
      RETENTION_DAYS: '90',
      APP_CHECK_SITE_KEY: 'site-key',
    };
    expect(readStorage({ ...PROJECT, ...more })).toMatchObject({
      settings: { databaseId: 'early', functionsRegion: 'europe-west1', retentionDays: 90 },
      appCheckSiteKey: 'site-key',
    });
  });

  it('lets the functions store signups unless pages write them', () => {
    for (const DIRECT_SIGNUPS of [undefined, '', 'off'])
      expect(readStorage({ ...PROJECT, DIRECT_SIGNUPS })).not.toHaveProperty('settings.directSignups');
    expect(readStorage({ ...PROJECT, DIRECT_SIGNUPS: 'on', HUMAN_CHECK: 'off' })).toMatchObject({
      settings: { directSignups: true },
    });
  });

  it.each([
    [{ STORAGE: 'sqlite' }, /STORAGE/],
    [{ STORAGE: 'firestore' }, /FIREBASE_PROJECT_ID/],
    [{ STORAGE: 'firestore', FIREBASE_PROJECT_ID: 'p' }, /FIREBASE_API_KEY/],
    [{ STORAGE: 'firestore', FIREBASE_CONFIG: '{projectId:' }, /FIREBASE_CONFIG must be JSON/],
    [{ STORAGE: 'firestore', FIREBASE_CONFIG: '"text"' }, /FIREBASE_CONFIG must be JSON/],
    [{ ...PROJECT, RETENTION_DAYS: '0' }, /RETENTION_DAYS/],
    [{ ...PROJECT, DIRECT_SIGNUPS: 'yes' }, /DIRECT_SIGNUPS/],
    [{ ...PROJECT, DIRECT_SIGNUPS: 'on', HUMAN_CHECK: 'turnstile' }, /DIRECT_SIGNUPS.*HUMAN_CHECK/],
    [{ ...PROJECT, FIRESTORE_URL: 'http://127.0.0.1:8080' }, /FUNCTIONS_URL/],
    [{ ...PROJECT, FIREBASE_CONFIG: '{"projectId":"p","apiKey":"k"}', APP_CHECK_SITE_KEY: 'k' }, /FIREBASE_APP_ID/],
  ])('rejects %j and names the variable', (env, message) => {
    expect(() => readStorage(env)).toThrow(message);
  });
});

it('builds of different kinds do not overwrite each other', () => {
  const emulators = { FIRESTORE_URL: 'http://127.0.0.1:8080', FUNCTIONS_URL: 'http://127.0.0.1:5001' };
  const demo = { ...PROJECT, FIREBASE_PROJECT_ID: 'demo-project' };
  const folders = [{}, PROJECT, demo, { ...PROJECT, ...emulators }].map((env) => outputFolder(readStorage(env)));
  expect(folders).toEqual(['dist', 'dist-firestore', 'dist-demo', 'dist-emulator']);
});

it('the constants are valid code for any value', () => {
  const constants = createConstants(readStorage({ ...PROJECT, FIREBASE_API_KEY: '"</script>' }));
  expect(JSON.parse(constants.__FIRESTORE_SETTINGS__ ?? '')).toMatchObject({ apiKey: '"</script>' });
  expect(createConstants({ kind: 'http' })).toEqual({
    __STORAGE__: '"http"',
    __FIRESTORE_SETTINGS__: 'null',
    __APP_CHECK_SITE_KEY__: 'null',
  });
});
