import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDirectSignups } from './storage.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * For a site with its own fields, direct signups, a human check or a different retention: writes the Firestore rules,
 * the functions' parameters and the declaration into the deployed folder, so that they always match. Returns the path
 * of the rules from the root; null for a site without any of these.
 */
export function addOwnRules(functions: string, env: NodeJS.ProcessEnv): string | null {
  const { SIGNUP_FIELDS: fields = '', HUMAN_CHECK: check = '', RETENTION_DAYS: days = '' } = env;
  const options: string[] = [];
  const parameters: string[] = [];
  if (fields !== '') {
    options.push('--fields', path.resolve(fields));
    parameters.push('SIGNUP_FIELDS=fields.json');
    copyFileSync(fields, path.join(functions, 'fields.json'));
  }
  if (check !== '' && check !== 'off') parameters.push(`HUMAN_CHECK=${check}`);
  if (readDirectSignups(env)) options.push('--direct-signups');
  if (days !== '') options.push('--retention-days', days);
  if (options.length + parameters.length === 0) return null;
  const rules = path.join(functions, 'firestore.rules');
  const command = [path.join(ROOT, 'packages/early-access-firebase/src/cli.ts'), 'rules', ...options];
  writeFileSync(rules, execFileSync(process.execPath, command));
  appendFileSync(path.join(functions, '.env'), `\n${parameters.join('\n')}\n`);
  return path.relative(ROOT, rules).split(path.sep).join('/');
}
