#!/usr/bin/env node
/** Checked before anything is imported. The server of the project needs this version, too. */
const OLDEST = [22, 16] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `create-early-access needs Node ${OLDEST.join('.')} or newer, but runs on ${process.versions.node}; get it from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  import('./create.ts').then(async ({ create }) => {
    const { stdin, stdout, stderr, env } = process;
    process.exitCode = await create(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() });
  });
}
