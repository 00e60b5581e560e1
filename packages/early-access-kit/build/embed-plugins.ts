import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { react } from '../src/embed/react-functions.ts';

const REACT = './src/embed/preact-as-react.ts';

/**
 * Replaces React with Preact, so that the elements can be built from the unchanged widgets. Builds run in the package's
 * folder.
 */
export const PREACT_FOR_REACT: Readonly<Record<string, string>> = {
  react: REACT,
  'react-dom': REACT,
  'react-dom/client': REACT,
  'react/jsx-runtime': REACT,
};

/** Replaces React with the functions that embed.js shares with the scripts that it loads. */
export const sharedReact: Plugin = {
  name: 'shared-react',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react(\/jsx-runtime)?$/ }, () => ({ path: 'react', namespace: 'shared-react' }));
    onLoad({ filter: /./, namespace: 'shared-react' }, () => ({
      contents: `import { scripts } from './main-registry.ts';\nexport const { ${Object.keys(react)} } = scripts.react;`,
      resolveDir: path.resolve('src/embed'),
    }));
  },
};

/** Leaves out the code for the host's class names, which elements do not support. */
export const noHostClasses: Plugin = {
  name: 'no-host-classes',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/class-names\.ts$/ }, () => ({ path: path.resolve('src/embed/class-names.ts') }));
  },
};

/** Imports stylesheets as text, with their own imports inlined. */
export const inlineCss: Plugin = {
  name: 'inline-css',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.css\?inline$/ }, ({ path: file, resolveDir }) => ({
      // Includes `?inline`, so that no other plugin handles it as a stylesheet.
      path: path.resolve(resolveDir, file),
      namespace: 'inline-css',
    }));
    onLoad({ filter: /./, namespace: 'inline-css' }, async ({ path: file }) => {
      const { outputFiles } = await build({
        entryPoints: [file.slice(0, -'?inline'.length)],
        bundle: true,
        minify: true,
        write: false,
        logLevel: 'error',
      });
      return { contents: shortenCss(outputFiles[0]?.text ?? ''), loader: 'text' };
    });
  },
};

/** The private custom properties in source order, because all stylesheets of a page need the same short names. */
const PRIVATE: readonly string[] = readFileSync('src/theme.css', 'utf8').match(/--_eak-[\w-]+(?=:)/g) ?? [];

/**
 * Does what esbuild does not: removes spaces in custom properties and shortens the names of private ones. The property
 * that `raiseToasts` sets is not defined in a stylesheet.
 */
function shortenCss(css: string): string {
  return css
    .trim()
    .replaceAll(/--_eak-[\w-]+/g, (name) =>
      PRIVATE.includes(name) ? `--_${PRIVATE.indexOf(name).toString(36)}` : name,
    )
    .replaceAll(/(?<=--[\w-]+:|,) /g, '');
}
