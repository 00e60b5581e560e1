#!/usr/bin/env node
// Imports nothing that an old Node cannot load, so that it ends with a line that says which version is needed.
import { oldNodeMessage } from './cli/node-version.ts';
import { loadSqliteSilently } from './stores/sqlite/load-sqlite.ts';

const message = oldNodeMessage(process.versions.node);
if (message === null) {
  loadSqliteSilently();
  await import('./main.ts');
} else {
  process.stderr.write(message);
  process.exitCode = 1;
}
