import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build as esbuild } from 'esbuild';
import { build as viteBuild } from 'vite';
import { type Consumer, filesOf, modulesOf, stylesOf } from './consumer.ts';

const EXTERNAL = [/^react(-dom)?(\/|$)/, /^vitest$/];
/** What no code can be without, such as the comment that a bundler leaves where a module was. */
const EMPTY_BYTES = 64;

type Bundle = (file: string) => Promise<{ code: string; css: string }>;

const BUNDLERS: Readonly<Record<string, Bundle>> = {
  async esbuild(file) {
    const { outputFiles } = await esbuild({
      entryPoints: [file],
      outdir: path.dirname(file),
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      logLevel: 'silent',
      external: ['react', 'react-dom', 'vitest'],
    });
    return textsOf(outputFiles.map(({ path: name, text }) => ({ name, text })));
  },
  async vite(file) {
    const results = await viteBuild({
      root: path.dirname(file),
      configFile: false,
      logLevel: 'silent',
      build: { write: false, minify: true, rolldownOptions: { input: file, external: EXTERNAL } },
    });
    const outputs = [results].flat().flatMap((result) => ('output' in result ? result.output : []));
    return textsOf(
      outputs.map((output) => ({
        name: output.fileName,
        text: output.type === 'chunk' ? output.code : String(output.source),
      })),
    );
  },
};

/** Every entry can be bundled; what is imported and not used leaves nothing behind, unless it is imported for its effect. */
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
      const wrong = await bundle(file).then(isWrong, (error: unknown) => String(error));
      if (wrong !== false) complaints.push(`${bundler}, ${name}: ${wrong}`);
    };
    for (const name of modulesOf(manifest).keys()) {
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
    for (const name of stylesOf(manifest)) {
      await attempt(name, `import '${name}';\n`, ({ css }) =>
        css.includes('--eak-') ? false : 'the stylesheet is dropped',
      );
    }
  }
  return complaints;
}

/** Whether the manifest says that importing the entry does something by itself. */
function hasEffect({ sideEffects, exports, name }: Consumer['manifest'], module: string): boolean {
  const target = exports[`.${module.slice(name.length)}`];
  return target !== undefined && filesOf(target).some((file) => sideEffects.includes(file));
}

function textsOf(files: readonly { name: string; text: string }[]): { code: string; css: string } {
  const join = (isWanted: (name: string) => boolean) =>
    files
      .filter(({ name }) => isWanted(name))
      .map(({ text }) => text.trim())
      .join('\n');
  return { code: join((name) => /\.m?js$/.test(name)), css: join((name) => name.endsWith('.css')) };
}
