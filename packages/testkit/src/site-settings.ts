import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from './http-server.ts';

const SITE = path.resolve(import.meta.dirname, '../../../site');

const PATHS = ['BRAND_STYLES', 'MAIL_TEMPLATES'];

/** PrintMargin's settings from `site/brand.env`, independent of the working directory. */
export const SITE_BRAND: Readonly<Record<string, string>> = readSiteBrand();

function readSiteBrand(): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(parseEnv(readFileSync(path.join(SITE, 'brand.env'), 'utf8')))) {
    settings[name] = PATHS.includes(name) ? path.join(SITE, value) : value;
  }
  return settings;
}

/** Sets PrintMargin's settings in this process, unless the environment already has them. */
export function applySiteBrand({ env } = process): void {
  for (const [name, value] of Object.entries(SITE_BRAND)) env[name] ??= value;
  // A default sender for emails that are only written to files. With a mail server, it must be set.
  if (!env.SMTP_URL) env.MAIL_FROM ||= 'PrintMargin <hello@printmargin.example>';
}

/**
 * Chooses the ports of the local Firestore and functions, unless the environment sets them, and sets their addresses
 * for the site's build. Prefers the default ports of Firebase's emulators, so that the build can be reused.
 */
export async function applyEmulatorPorts({ env } = process): Promise<void> {
  env.FIRESTORE_PORT ||= String(await freePort(8080));
  env.FUNCTIONS_PORT ||= String(await freePort(5001));
  env.FIRESTORE_URL = `http://127.0.0.1:${env.FIRESTORE_PORT}`;
  env.FUNCTIONS_URL = `http://127.0.0.1:${env.FUNCTIONS_PORT}`;
}
