import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConstants, readStorage } from '../build/storage.ts';

/** Patterns of secrets that must never be published. */
const SECRETS = [
  /admin@example\.com/i,
  /\bsmtps?:\/\/[^\s"'/@]+:[^\s"'/@]+@/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /"private_key"\s*:/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\bsk_live_[A-Za-z0-9]{16}/,
  /\bxox[abpr]-[A-Za-z0-9-]{10}/,
];

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Everything that visitors or package users receive. Storybook is only built for some checks. */
const BUILDS = ['packages/early-access-kit/dist', 'site/dist/client', 'site/dist-demo/client'];
const OTHER_BUILDS = ['site/dist-firestore/client', 'site/dist-emulator/client', 'storybook-static'];

function findSecrets(text: string): string[] {
  return SECRETS.flatMap((secret) => secret.exec(text)?.[0] ?? []);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  "const admin = 'Admin@Example.com'",
  'SMTP_URL=smtp://user:hunter2@mail.example.com:587',
  '-----BEGIN RSA PRIVATE KEY-----',
  '{"private_key": "x"}',
  `token = "ghp_${'a'.repeat(36)}"`,
])('the search finds %s', (text) => {
  expect(findSecrets(text)).toHaveLength(1);
});

describe('no secret is in', () => {
  it.each([...BUILDS, ...OTHER_BUILDS.filter((folder) => existsSync(path.join(ROOT, folder)))])('%s', (folder) => {
    const files = globSync('**/*', { cwd: path.join(ROOT, folder), withFileTypes: true }).filter(
      (entry) => entry.isFile() && /\.(c?js|d\.c?ts|map|css|html|svg|txt|json|md)$/.test(entry.name),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const { parentPath, name } of files) {
      const file = path.join(parentPath, name);
      expect([name, ...findSecrets(readFileSync(file, 'utf8'))]).toEqual([name]);
    }
  });

  it('pages built on a machine with the admin’s settings', async () => {
    const settings = { ADMIN_EMAIL: 'the-admin@secret.test', SMTP_URL: 'smtp://user:hunter2@secret.test' };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const project = { STORAGE: 'firestore', FIREBASE_PROJECT_ID: 'p', FIREBASE_API_KEY: 'k', FIREBASE_APP_ID: 'a' };
    for (const storage of [{}, project]) {
      const built = await build({
        root: path.resolve(import.meta.dirname, '..'),
        logLevel: 'error',
        define: createConstants(readStorage({ ...storage, ...settings })),
        build: { write: false },
      });
      const text = JSON.stringify(built);
      expect(text).toContain('Join the beta');
      expect(text).not.toMatch(/secret\.test|hunter2/);
    }
  });
});
