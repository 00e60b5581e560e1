import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const JOB = /^ {2}(?=[\w-]+:$)/m;
const ACTION = /^\s*-? *uses: (.*)$/gm;
/** Tags can be moved to different code, commits cannot. */
const PINNED = /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
const MAY_PUBLISH = 'id-token: write';

/**
 * Returns complaints about actions that are not pinned to a commit, and about jobs that can publish and also run tests.
 */
export function unsafeWorkflows(): string[] {
  return globSync('.github/workflows/*.yml', { cwd: ROOT }).flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const [shared = '', jobs = ''] = text.split(/^jobs:$/m);
    const loose = [...text.matchAll(ACTION)].map(([, action = '']) => action).filter((action) => !PINNED.test(action));
    const testing = jobs
      .split(JOB)
      .filter((job) => [shared, job].join().includes(MAY_PUBLISH) && job.includes('npm test'));
    return [
      ...loose.map((action) => `${file}: ${action} is not pinned to a commit`),
      ...testing.map((job) => `${file}: the job ${job.split(':', 1)[0]} may publish and runs tests`),
    ];
  });
}
