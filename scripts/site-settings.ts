import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { ROOT } from './run.ts';

const SITE = path.join(ROOT, 'site');

/** PrintMargin's settings from `site/brand.env`, independent of the working directory. */
export const SITE_BRAND: Readonly<Record<string, string>> = readSiteBrand();

function readSiteBrand(): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(parseEnv(readFileSync(path.join(SITE, 'brand.env'), 'utf8')))) {
    settings[name] = name === 'MAIL_TEMPLATES' ? path.join(SITE, value) : value;
  }
  return settings;
}

/** Sets PrintMargin's settings in this process, unless the environment has its own. */
export function applySiteBrand({ env } = process): void {
  for (const [name, value] of Object.entries(SITE_BRAND)) env[name] ??= value;
  // A default sender for emails that are only written to files. With a mail server it must be set.
  if (!env.SMTP_URL) env.MAIL_FROM ||= 'PrintMargin <hello@printmargin.example>';
}

/** What the site's local build has built in: a project without an account, and the addresses of Firebase's own emulators. */
export const EMULATORS = {
  projectId: 'demo-early-access',
  firestoreUrl: 'http://127.0.0.1:8080',
  functionsUrl: 'http://127.0.0.1:5001',
} as const;
