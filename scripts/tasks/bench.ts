import path from 'node:path';
import { buildAll } from '../build.ts';
import { findChromium } from '../chromium.ts';
import { ROOT } from '../run.ts';

await buildAll();
const { executablePath, env } = await findChromium();
Object.assign(process.env, env, { CHROME_PATH: executablePath });
await import(path.join(ROOT, 'bench/main.ts'));
