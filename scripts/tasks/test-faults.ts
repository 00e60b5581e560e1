/**
 * The long rounds of the faults, some of which take minutes, with a table of what they counted: `npm run test:faults`. A name picks files, as
 * in `npm run test:faults -- kill`. A few rounds of each run with `npm test`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildAll } from '../build.ts';
import { ROOT, run } from '../run.ts';

const REPORT = path.join(ROOT, 'node_modules', '.cache', 'faults.jsonl');
mkdirSync(path.dirname(REPORT), { recursive: true });
rmSync(REPORT, { force: true });

await buildAll();
const env = { FAULTS: 'long', FAULTS_REPORT: REPORT, NO_COLOR: '1' };
const { code } = await run('vitest', ['run', '--project', 'faults', ...process.argv.slice(2)], { env, live: true });

const figures = existsSync(REPORT) ? readFileSync(REPORT, 'utf8').trim().split('\n') : [];
for (const line of figures) {
  const [name, figure]: [string, string | number] = JSON.parse(line);
  console.log(`${name.padEnd(48)} ${figure}`);
}
process.exitCode = code;
