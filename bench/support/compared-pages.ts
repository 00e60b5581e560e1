import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const SITE = path.resolve(import.meta.dirname, '../../site');

/**
 * Builds the same site in the usual way, without prerendering: an empty page, a stylesheet and one script that renders
 * everything. Returns its folder.
 */
export async function buildClientOnlySite(folder: string): Promise<string> {
  const client = path.join(folder, 'client-only');
  const head = '<title>PrintMargin</title><meta name="description" content="Know your margin before you print.">';
  await build({
    root: SITE,
    mode: 'client-only',
    logLevel: 'error',
    build: { outDir: client, emptyOutDir: true },
    plugins: [
      {
        name: 'client-only',
        transformIndexHtml: {
          order: 'pre',
          handler: (html) =>
            html.replace('/src/main.ts', '/src/app.tsx').replace('<!--head-->', head).replace('<!--page-->', ''),
        },
      },
    ],
  });
  // Compressed like the real site.
  for (const name of globSync('**/*.{html,css,js,svg}', { cwd: client })) {
    const file = path.join(client, name);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
  return client;
}

/** The smallest page with a working form, whose interaction time is only the browser's own. */
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
