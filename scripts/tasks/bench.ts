import path from 'node:path';
import { findChromium } from '../chromium.ts';
import { firstExisting, installFromDebian, pathsOf } from '../programs.ts';
import { ROOT } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

await buildOrExit(SELF_HOSTED);
const { executablePath, env } = await findChromium();
// The load on the server comes from wrk; where there is none, that question says so.
const wrk = firstExisting(pathsOf('wrk')) ?? (installFromDebian('wrk') ? 'wrk' : '');
Object.assign(process.env, env, { CHROME_PATH: executablePath, WRK_PATH: wrk });
await import(path.join(ROOT, 'bench/main.ts'));
