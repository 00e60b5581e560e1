import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runOrExit } from './run.ts';

export const KIT = 'packages/early-access-kit';

/** Packs the built package as it would be published. Returns the tarball's path. */
export async function packKit(folder: string): Promise<string> {
  await runOrExit('pnpm', ['pack', '--pack-destination', folder], { cwd: KIT });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`pnpm pack left no tarball in ${folder}`);
  return path.join(folder, tarball);
}
