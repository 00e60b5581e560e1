import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { BUNDLERS, joinCode } from '@early-access-kit/testkit/bundlers';
import { type Consumer, listFiles, listModules, listStyles } from './consumer.ts';

const EXTERNAL = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime', 'vitest'];
/** Output without effect, such as the comments that bundlers leave for removed modules. */
const EMPTY_BYTES = 64;

/** Checks that every entry can be bundled, and that unused imports leave no code, unless an entry has side effects. */
export async function checkBundling({ folder, manifest }: Consumer): Promise<string[]> {
  const complaints: string[] = [];
  for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
    const attempt = async (
      name: string,
      source: string,
      isWrong: (texts: { code: string; css: string }) => string | false,
    ) => {
      const file = path.join(folder, `${bundler}-${name.replaceAll('/', '-')}.js`);
      writeFileSync(file, source);
      const wrong = await bundle(file, EXTERNAL).then(
        ({ initial, later }) => {
          const files = [...initial, ...later];
          const css = files.filter((output) => output.name.endsWith('.css')).map(({ text }) => text);
          // esbuild writes all lazy chunks that it has found, even if nothing loads them.
          return isWrong({ code: joinCode(initial), css: css.join('\n') });
        },
        (error: unknown) => String(error),
      );
      if (wrong !== false) complaints.push(`${bundler}, ${name}: ${wrong}`);
    };
    for (const name of listModules(manifest).keys()) {
      await attempt(`all of ${name}`, `import * as all from '${name}';\nglobalThis.all = all;\n`, ({ code }) =>
        code.length > 2 * EMPTY_BYTES ? false : 'nothing is left of it',
      );
      const effect = hasEffect(manifest, name);
      await attempt(`nothing of ${name}`, `import '${name}';\n`, ({ code }) => {
        const isEmpty = code.length <= EMPTY_BYTES;
        if (isEmpty !== effect) return false;
        return effect
          ? 'it is imported for its effect, and dropped'
          : `it is not used, and leaves ${code.length} bytes`;
      });
    }
    for (const name of listStyles(manifest)) {
      await attempt(name, `import '${name}';\n`, ({ css }) =>
        css.includes('eak-') ? false : 'the stylesheet is dropped',
      );
    }
  }
  return complaints;
}

/** Returns whether the manifest declares side effects for the entry. */
function hasEffect({ sideEffects = [], exports, name }: Consumer['manifest'], module: string): boolean {
  const target = exports[`.${module.slice(name.length)}`];
  return target !== undefined && listFiles(target).some((file) => sideEffects.includes(file));
}
