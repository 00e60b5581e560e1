import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PUBLISHED, SERVER } from '@early-access-kit/testkit/packages';
import { ROOT } from '../run.ts';
import { rehearseUse } from './rehearse-use.ts';
import { step } from './step.ts';

/** The server's package contains its build. */
const DASHBOARD = 'packages/dashboard';

/** A package as it would be published. */
export interface Rehearsal {
  readonly name: string;
  readonly version: string;
  /** Sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly tarballSize: number;
  /** The changelog section of this version. */
  readonly changes: string;
}

/** Whether there are unreleased changesets. */
export function hasChangesets(root = ROOT): boolean {
  return readdirSync(path.join(root, '.changeset')).some((file) => file.endsWith('.md') && file !== 'README.md');
}

/**
 * Runs every step of a release for the last commit, in a temporary clone. Publishes to a local registry and uses the
 * packages like users: with `npx`, `npm create`, and an upgrade.
 */
export async function rehearseRelease(): Promise<Rehearsal[]> {
  const clone = mkdtempSync(path.join(tmpdir(), 'early-access-release-'));
  try {
    await step({ folder: ROOT }, 'git', 'clone', '--quiet', '--shared', ROOT, clone);
    const filters = [...PUBLISHED, DASHBOARD].flatMap((folder) => ['--filter', `./${folder}...`]);
    await step({ folder: clone }, 'pnpm', 'install', '--frozen-lockfile', '--prefer-offline', ...filters);
    if (hasChangesets(clone)) await step({ folder: clone }, 'node', 'scripts/tasks/release.ts', '--version');
    const rehearsals: Rehearsal[] = [];
    // In this order, because the server needs the kit's types, and the dashboard needs the kit.
    for (const folder of PUBLISHED) {
      if (folder === SERVER) await step({ folder: path.join(clone, DASHBOARD) }, 'pnpm', 'run', 'build');
      rehearsals.push(await pack(clone, path.join(clone, folder)));
    }
    await rehearseUse(clone);
    return rehearsals;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

async function pack(clone: string, folder: string): Promise<Rehearsal> {
  await step({ folder }, 'pnpm', 'run', 'build');
  const output = await step({ folder }, 'pnpm', 'pack', '--json', '--pack-destination', clone);
  // The first line of the output is the name of the packing script.
  const { filename, files }: { filename: string; files: { path: string }[] } = JSON.parse(
    output.slice(output.indexOf('{')),
  );
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return {
    name,
    version,
    files: files.map((file) => ({ path: file.path, size: statSync(path.join(folder, file.path)).size })),
    tarballSize: statSync(path.resolve(clone, filename)).size,
    changes: findSection(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8'), version),
  };
}

function findSection(changelog: string, version: string): string {
  const [, section = ''] = changelog.split(`## ${version}\n`);
  return (section.split(/^## /m)[0] ?? '').trim();
}
