import { copyFileSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Settings that the pages and the functions have in common: a build gives both the same. */
const SHARED = ['PUBLIC_URL', 'FUNCTIONS_REGION', 'DATABASE_ID', 'RETENTION_DAYS'];
const WITHOUT_DEFAULT = ['MAIL_FROM', 'PUBLIC_URL'];

/**
 * Writes the parameters of the functions into the folder that is deployed: the defaults, PrintMargin's brand and
 * emails, which every project without its own settings uses, the settings of the pages, and the files `.env.*` of
 * `settings`, which `firebase deploy` reads from the code's folder. Returns the names of the parameters that have no
 * value, so that it would ask for them.
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
