/**
 * Publishes the versions in the packages' manifests, as the release workflow does: `npm run release`. With `-- --dry-run` it shows what the
 * last commit would publish once its changesets are a version, and publishes nothing.
 */
import path from 'node:path';
import { PUBLISHED } from '@early-access-kit/testkit/packages';
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
} else if (hasChangesets()) {
  console.error('Changes wait for a version: run `pnpm changeset version`, commit what it writes, and release then.');
  process.exitCode = 1;
} else {
  await buildOrExit([...PUBLISHED.map((folder) => `${path.basename(folder)}#build`), '--force']);
  await runOrExit('changeset', ['publish'], { live: true });
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1).padStart(7)} kB`;
}
