#!/usr/bin/env node
// Imports nothing that an old Node.js cannot load, so that it can print the required version.
import packageJson from '../package.json' with { type: 'json' };

const oldest = packageJson.engines.node.replace('>=', '');
const current = process.versions.node;
if (current.localeCompare(oldest, 'en', { numeric: true }) >= 0) await import('./main.ts');
else {
  process.stderr.write(
    `early-access-firebase: needs Node ${oldest} or newer, but runs on ${current}; get it from https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
