#!/usr/bin/env node
// Only imports modules that an old Node can load, so that it can print which version is needed.
import { fileURLToPath } from 'node:url';
import { limitHeap, oldNodeMessage } from './cli/node-runtime.ts';
import { loadSqliteSilently } from './stores/sqlite/load-sqlite.ts';

const message = oldNodeMessage(process.versions.node);
if (message === null) {
  const [command = 'serve'] = process.argv.slice(2);
  if (command === 'serve') limitHeap(fileURLToPath(import.meta.url));
  loadSqliteSilently();
  await import('./main.ts');
} else {
  process.stderr.write(message);
  process.exitCode = 1;
}
