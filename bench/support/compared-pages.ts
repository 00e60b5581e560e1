import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const SITE = path.resolve(import.meta.dirname, '../../site');

/** Builds the same site without prerendering: an empty page, a stylesheet and a script that renders everything. Returns its folder. */
export function buildClientOnlySite(folder: string): string {
  const client = path.join(folder, 'client-only');
  const args = ['exec', 'vite', 'build', '--outDir', client, '--emptyOutDir', '--logLevel', 'error'];
  execFileSync('pnpm', args, { cwd: SITE, env: { ...process.env, NODE_ENV: 'production' }, stdio: 'ignore' });
  const index = path.join(client, 'index.html');
  const head = '<title>PrintMargin</title><meta name="description" content="Know your margin before you print.">';
  writeFileSync(index, readFileSync(index, 'utf8').replace('<!--head-->', head).replace('<!--page-->', ''));
  // Compressed like the real site.
  for (const name of globSync('**/*.{html,css,js,svg}', { cwd: client })) {
    const file = path.join(client, name);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
  return client;
}

/** The smallest page with a working form: its interaction time is that of the browser alone. */
export const BARE_PAGE = `<!doctype html>
<meta name="viewport" content="width=device-width">
<form class="eak-form" novalidate><label>Email address <input type="email"></label> <button>Join</button></form>
<p></p>
<script>
  const [form] = document.forms;
  form.onsubmit = (event) => {
    event.preventDefault();
    form.querySelector('button').textContent = 'Joining...';
    setTimeout(async () => {
      await fetch('/api/signups', { method: 'POST', body: '{}' });
      document.querySelector('p').textContent = "You're on the list!";
    });
  };
</script>
`;
