import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { CREATE, FIREBASE, KIT, packPackage, SERVER } from '@early-access-kit/testkit/packages';

/** Packs the packages once for all consumers. Returns the teardown that removes them. */
export default async function pack(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'early-access-packed-'));
  process.env.KIT_TARBALL = await packPackage(KIT, folder);
  process.env.SERVER_TARBALL = await packPackage(SERVER, folder);
  process.env.FIREBASE_TARBALL = await packPackage(FIREBASE, folder);
  process.env.CREATE_TARBALL = await packPackage(CREATE, folder);
  return () => rm(folder, { recursive: true });
}
