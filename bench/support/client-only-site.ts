import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const SITE = path.resolve(import.meta.dirname, '../../site');

/** Builds the same site as it is usually done: an empty page, a stylesheet and a script that renders everything. Answers with its folder. */
export function buildClientOnlySite(folder: string): string {
  const client = path.join(folder, 'client-only');
  const args = ['exec', 'vite', 'build', '--outDir', client, '--emptyOutDir', '--logLevel', 'error'];
  execFileSync('pnpm', args, { cwd: SITE, env: { ...process.env, NODE_ENV: 'production' }, stdio: 'ignore' });
  const index = path.join(client, 'index.html');
  const head = '<title>PrintMargin</title><meta name="description" content="Know your margin before you print.">';
  writeFileSync(index, readFileSync(index, 'utf8').replace('<!--head-->', head).replace('<!--page-->', ''));
  // As compressed as the real one.
  for (const name of globSync('**/*.{html,css,js,svg}', { cwd: client })) {
    const file = path.join(client, name);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
  return client;
}
