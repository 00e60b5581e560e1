import path from 'node:path';
import { build } from 'vite';

const SCRIPT = /<script type="module"[^>]* src="([^"]+)"><\/script>/;

/** Compiles `src/after-paint.ts`, a classic script that imports nothing. */
export async function compileLoader(root: string): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: path.join(root, 'src/after-paint.ts'), output: { format: 'iife' } },
    },
  });
  const [code, ...more] = [result].flat().flatMap((output) => ('output' in output ? output.output : []));
  if (code?.type !== 'chunk' || more.length > 0) throw new Error('src/after-paint.ts must be one script');
  return code.code.trim();
}

/** Replaces the page's module script by the inline loader, which imports it after the first paint. */
export function deferScript(html: string, loader: string): string {
  if (!SCRIPT.test(html)) throw new Error('the page has no module script');
  if (/<\/script/i.test(loader)) throw new Error('the loader would end its script element');
  return html.replace(SCRIPT, (_, url) => `<script data-src="${url}">${loader}</script>`);
}
