import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KIT } from '../pack.ts';
import { ROOT, run } from '../run.ts';

/** What would be published. */
export interface Rehearsal {
  readonly name: string;
  readonly version: string;
  /** Sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly tarballSize: number;
  /** The changelog's section on this version. */
  readonly changes: string;
}

/** Whether changes wait for a version. */
export function hasChangesets(root = ROOT): boolean {
  return readdirSync(path.join(root, '.changeset')).some((file) => file.endsWith('.md') && file !== 'README.md');
}

/** Does everything of a release but the publishing: with the last commit, in a clone that is thrown away. */
export async function rehearseRelease(): Promise<Rehearsal> {
  const clone = mkdtempSync(path.join(tmpdir(), 'early-access-release-'));
  const kit = path.join(clone, KIT);
  try {
    await step(ROOT, 'git', 'clone', '--quiet', '--shared', ROOT, clone);
    await step(clone, 'pnpm', 'install', '--frozen-lockfile', '--prefer-offline', '--filter', 'early-access-kit');
    if (hasChangesets(clone)) await step(clone, 'changeset', 'version');
    await step(kit, 'pnpm', 'run', 'build');
    const { filename, files }: { filename: string; files: { path: string }[] } = JSON.parse(
      await step(kit, 'pnpm', 'pack', '--json', '--pack-destination', clone),
    );
    const { name, version } = JSON.parse(readFileSync(path.join(kit, 'package.json'), 'utf8'));
    return {
      name,
      version,
      files: files.map((file) => ({ path: file.path, size: statSync(path.join(kit, file.path)).size })),
      tarballSize: statSync(path.resolve(clone, filename)).size,
      changes: sectionOf(readFileSync(path.join(kit, 'CHANGELOG.md'), 'utf8'), version),
    };
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

async function step(folder: string, program: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(program, args, { cwd: path.relative(ROOT, folder), env: { NO_COLOR: '1' } });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

function sectionOf(changelog: string, version: string): string {
  const [, section = ''] = changelog.split(`## ${version}\n`);
  return (section.split(/^## /m)[0] ?? '').trim();
}
