/**
 * Publishes the versions in the packages' manifests, like the release workflow: `npm run release`. Other steps of a
 * release:
 * - `-- --version` converts the changesets to a version and changelogs, and updates the version in all files.
 * - `-- --keep` stores the packages of this version, and data that they write, in `e2e/compatibility`, to test later
 *   releases.
 * - `-- --dry-run` publishes the last commit, with a version derived from its changesets, to a local registry, and uses
 *   it from there.
 */
import path from 'node:path';
import { PUBLISHED } from '@early-access-kit/testkit/packages';
import { updateVersions } from '../documents/named-versions.ts';
import { hasChangesets, rehearseRelease } from '../release/rehearse.ts';
import { runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

if (process.argv.includes('--dry-run')) {
  for (const { name, version, files, tarballSize, changes } of await rehearseRelease()) {
    for (const file of files) console.log(`${kilobytes(file.size)}  ${file.path}`);
    console.log(`\n${changes}\n`);
    console.log(`Package  ${name}@${version}, under the tag "latest"`);
    console.log(`Tarball  ${files.length} files, ${kilobytes(tarballSize).trim()}`);
    console.log(`Git tag  ${name}@${version}\n`);
  }
  console.log('Nothing was published.');
} else if (process.argv.includes('--version')) {
  await runOrExit('changeset', ['version'], { live: true });
  updateVersions();
} else if (process.argv.includes('--keep')) {
  await buildOrExit(['early-access-server#build']);
  await runOrExit('node', ['e2e/compatibility/support/keep.ts'], { live: true });
} else if (hasChangesets()) {
  console.error('Changes wait for a version: run npm run release -- --version, commit what it writes, then release.');
  process.exitCode = 1;
} else {
  await buildOrExit([...PUBLISHED.map((folder) => `${path.basename(folder)}#build`), '--force']);
  await runOrExit('changeset', ['publish'], { live: true });
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1).padStart(7)} kB`;
}
