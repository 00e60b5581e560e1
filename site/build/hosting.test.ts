import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dashboardHeaders,
  pageHeaders,
  TLS_ONLY,
} from '../../packages/early-access-server/src/http/routing/security-headers.ts';
import { createFirebaseConfig, type FirebaseJson } from './hosting.ts';
import { type FirestoreStorage, readStorage } from './storage.ts';

const template: FirebaseJson = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../firebase.json'), 'utf8'),
);
const policy = { styleHashes: ['sha256-AAAA'], scriptHashes: ['sha256-BBBB'] };

function createStorage(more: Record<string, string> = {}): FirestoreStorage {
  const env = { STORAGE: 'firestore', FIREBASE_PROJECT_ID: 'shop', FIREBASE_API_KEY: 'k', FIREBASE_APP_ID: 'a' };
  const storage = readStorage({ ...env, ...more });
  if (storage.kind !== 'firestore') throw new Error('not on Firestore');
  return storage;
}

/** Returns the headers that Hosting sets at a path, from all matching rules. Later rules override earlier ones. */
function readHeaders({ hosting }: FirebaseJson, at = '/nowhere'): Record<string, string> {
  const matches = (glob: string): boolean =>
    glob.startsWith('!') ? !matches(glob.slice(1)) : path.posix.matchesGlob(at, glob.replace(/^(?!\/)/, '/'));
  const rules = hosting.headers.filter((rule) =>
    'source' in rule ? matches(rule.source) : new RegExp(rule.regex, 'u').test(at),
  );
  return Object.fromEntries(rules.flatMap(({ headers }) => headers.map(({ key, value }) => [key, value])));
}

function readDirectives(config: FirebaseJson): Record<string, string> {
  const policyText = readHeaders(config)['Content-Security-Policy'] ?? '';
  return Object.fromEntries(
    policyText.split('; ').map((text) => [text.split(' ')[0], text.split(' ').slice(1).join(' ')]),
  );
}

/** Responses without personal data. Without a rule, the functions set their cache headers. */
const FOR_EVERYONE: Readonly<Record<string, { 'Cache-Control': string | undefined }>> = {
  ...Object.fromEntries(
    ['/join', '/join/qr.svg', '/form', '/status', '/healthz', '/skill.md'].map((path) => [
      path,
      { 'Cache-Control': undefined },
    ]),
  ),
  '/llms.txt': { 'Cache-Control': 'public, max-age=3600' },
  '/api/count': { 'Cache-Control': 'public, max-age=60' },
};

const build = (more?: Record<string, string>) => createFirebaseConfig(template, 'site/x', policy, createStorage(more));

describe('the headers on Hosting', () => {
  it('equal the server’s, plus inline content and the build’s project', () => {
    const nothingInline = { styleHashes: [], scriptHashes: [] };
    expect(readHeaders(template)).toEqual({
      ...pageHeaders(nothingInline),
      ...Object.fromEntries([TLS_ONLY]),
      'Cache-Control': 'no-cache',
    });
    const onServer = pageHeaders(policy)['Content-Security-Policy'] ?? '';
    const stores = 'https://firestore.googleapis.com https://us-central1-shop.cloudfunctions.net';
    expect(readHeaders(build())['Content-Security-Policy']).toBe(
      onServer.replace("connect-src 'self'", `connect-src 'self' ${stores}`),
    );
  });

  it('only allow the dashboard the site itself', () => {
    const { 'Content-Security-Policy': value } = dashboardHeaders({ styleHashes: [], scriptHashes: [] });
    expect(readHeaders(build(), '/admin/')['Content-Security-Policy']).toBe(value);
  });

  it('override no policy of the functions, and prevent caching and losing cookies', () => {
    // A form that a sandboxed frame has opened in a new tab needs its opener, and sets this header itself.
    const {
      'Content-Security-Policy': _,
      'Referrer-Policy': __,
      'Cross-Origin-Opener-Policy': ___,
      ...others
    } = readHeaders(build());
    for (const rewrite of template.hosting.rewrites) {
      if (!('function' in rewrite && 'source' in rewrite)) continue;
      const at = rewrite.source.replace('**', 'any/route');
      const forEveryone = FOR_EVERYONE[at];
      const expected = { ...others, 'Cache-Control': 'private, no-store', ...forEveryone };
      expect([at, readHeaders(build(), at)]).toEqual([at, expected]);
    }
  });

  it('prevent caching of redirects for links that a mail filter has changed', () => {
    for (const at of ['/confirm%23token=x', '/admin/%23token=x', '/invite%2523invite=x', '/unsubscribe/'])
      expect(readHeaders(build(), at)['Cache-Control']).toBe('private, no-store');
  });

  it('allow the emulators and no Google origin in a local build', () => {
    const local = { FIRESTORE_URL: 'http://127.0.0.1:8080', FUNCTIONS_URL: 'http://127.0.0.1:5001' };
    expect(readDirectives(build(local))['connect-src']).toBe("'self' http://127.0.0.1:8080 http://127.0.0.1:5001");
  });

  it('allow App Check only if it is configured', () => {
    expect(JSON.stringify(build())).not.toMatch(/recaptcha|appcheck/);
    const directives = readDirectives(build({ APP_CHECK_SITE_KEY: 'key' }));
    expect(directives['script-src']).toContain('https://www.google.com/recaptcha/');
    expect(directives['frame-src']).toContain('https://www.google.com/recaptcha/');
    expect(directives['connect-src']).toContain('https://content-firebaseappcheck.googleapis.com');
    expect(directives['default-src']).toBe("'none'");
  });
});

describe('the rest of firebase.json', () => {
  it('routes the form, the admin API and links in emails to their functions, and pages of the dashboard to its file', () => {
    const { rewrites } = build({ FUNCTIONS_REGION: 'europe-west1' }).hosting;
    const sources = {
      'submit-signup-form': ['/api/signup-form'],
      'accept-signups': [
        ...[
          '/api/signups',
          '/api/welcome-email',
          '/api/human-challenge',
          '/api/count',
          '/api/sessions',
          '/api/sessions/*',
        ],
        ...['/join', '/join/qr.svg', '/form'],
      ],
      admin: ['/api/admin/**', '/api/brand', '/api/brand/**', '/api/openapi.json', '/skill.md', '/llms.txt'],
      links: [
        '/confirm',
        '/unsubscribe',
        '/invite',
        '/api/inbox',
        '/api/share',
        '/api/confirm',
        '/api/confirm/renew',
        '/api/links',
        '/api/unsubscribe',
        '/status',
        '/api/status',
        '/api/status/**',
        '/healthz',
        '/api/invites/**',
        '/api/mail-events/**',
      ],
    };
    expect(rewrites).toEqual([
      ...Object.entries(sources).flatMap(([functionId, paths]) =>
        paths.map((source) => ({ source, function: { functionId, region: 'europe-west1' } })),
      ),
      { regex: expect.any(String), function: { functionId: 'links', region: 'europe-west1' } },
      { source: '/admin/*', destination: '/admin/index.html' },
    ]);
  });

  it('routes links that a mail filter has changed to their function, and no other path of a site', () => {
    const changed = build().hosting.rewrites.flatMap((rewrite) => ('regex' in rewrite ? [rewrite.regex] : []));
    const isChanged = (path: string) => changed.some((regex) => new RegExp(regex, 'u').test(path));
    const links = [
      '/confirm%23token=x',
      '/confirm/%2523token=x',
      '/confirm/',
      '/confirm&utm_source=x',
      '/unsubscribe%3Ftoken=x',
    ];
    const ofAdmins = ['/admin%23token=x', '/admin/%23token=x', '/admin/token=x'];
    expect([...links, ...ofAdmins].filter((path) => !isChanged(path))).toEqual([]);
    const others = [
      '/confirmation',
      '/confirm/x',
      '/invite/friends',
      '/invite-us',
      '/admin/',
      '/admin/people',
      '/admin/index.html',
    ];
    expect(others.filter(isChanged)).toEqual([]);
  });

  it('is not changed', () => {
    const { hosting, ...rest } = build();
    const { hosting: before, ...restBefore } = template;
    expect(rest).toEqual(restBefore);
    expect(hosting).toMatchObject({ public: 'site/x', cleanUrls: false });
    expect(Object.keys(hosting)).toEqual(Object.keys(before));
  });

  it('throws without a policy, because pages would be deployed without one', () => {
    const bare = { hosting: { ...template.hosting, headers: [] } };
    expect(() => createFirebaseConfig(bare, 'site/x', policy, createStorage())).toThrow('Content-Security-Policy');
  });
});
