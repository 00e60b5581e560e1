import { copyFileSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Settings that pages and functions share. A build sets them to the same value for both. */
const SHARED = ['PUBLIC_URL', 'FUNCTIONS_REGION', 'DATABASE_ID', 'RETENTION_DAYS'];
const WITHOUT_DEFAULT = ['MAIL_FROM', 'PUBLIC_URL'];

/**
 * Writes the functions' parameters into the deployed folder: the defaults; PrintMargin's brand and emails, unless a
 * project sets its own; the settings of the pages; and the files `.env.*` of `settings`, which `firebase deploy` reads
 * from the code's folder. Returns the names of parameters without a value, which `firebase deploy` would ask for.
 */
export function writeParameters(functions: string, settings: string, env: NodeJS.ProcessEnv): readonly string[] {
  const files = [path.join(functions, 'defaults.env'), path.join(ROOT, 'site/brand.env')];
  const shared = SHARED.filter((name) => env[name]).map((name) => `${name}=${env[name]}`);
  const common = [...files.map((file) => readFileSync(file, 'utf8')), ...shared, ''].join('\n');
  writeFileSync(path.join(functions, '.env'), common);
  for (const name of ['pages.css', 'mails']) {
    cpSync(path.join(ROOT, 'site', name), path.join(functions, name), { recursive: true });
  }
  const own = globSync('.env.*', { cwd: settings });
  for (const file of own) copyFileSync(path.join(settings, file), path.join(functions, file));
  const texts = [common, ...own.map((file) => readFileSync(path.join(settings, file), 'utf8'))];
  return WITHOUT_DEFAULT.filter((name) => !texts.some((text) => parseEnv(text)[name]));
}
