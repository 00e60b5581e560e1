import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packKit } from '../../../scripts/pack.ts';

/** Packs the package once for all consumers. Returns the teardown that removes it. */
export default async function pack(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'early-access-packed-'));
  process.env.KIT_TARBALL = await packKit(folder);
  return () => rm(folder, { recursive: true });
}
