import path from 'node:path';
import { findChromium, findProgram } from '@early-access-kit/testkit/programs';
import { ROOT } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

await buildOrExit(SELF_HOSTED);
const { executablePath, env } = await findChromium();
// The server benchmark generates load with wrk. If it is missing, that benchmark reports it.
const wrk = findProgram(['wrk'], ['wrk']) ?? '';
Object.assign(process.env, env, { CHROME_PATH: executablePath, WRK_PATH: wrk });
await import(path.join(ROOT, 'bench/main.ts'));
