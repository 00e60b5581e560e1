/**
 * Builds the script for pages without a bundler, the scripts that it loads on demand, and a list of all of them with
 * their hashes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import preactPackage from 'preact/package.json' with { type: 'json' };
import { minify } from 'terser';
import { LANGUAGES, type Language } from '../src/core/languages.ts';
import { MESSAGES } from '../src/messages.ts';
import { inlineCss, noHostClasses, PREACT_FOR_REACT, sharedReact } from './embed-plugins.ts';

const OUT = 'dist/script';
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const { version: preact } = preactPackage;
const BANNER = `/*! early-access-kit ${version}, MIT; Preact ${preact}, MIT */`;

const PRODUCTION = { 'process.env.NODE_ENV': '"production"' };

interface ScriptFile {
  readonly file: string;
  readonly integrity: string;
}

/** Parts use a shorter hash, because the main script contains it. */
async function buildScript(name: string, options: BuildOptions, algorithm = 'sha256'): Promise<ScriptFile> {
  const { outputFiles = [] } = await build({
    bundle: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    charset: 'utf8',
    write: false,
    logLevel: 'error',
    plugins: [inlineCss, noHostClasses],
    define: PRODUCTION,
    ...options,
  });
  const file = `${name}-${version}.js`;
  const { code = '' } = await minify(outputFiles[0]?.text ?? '', {
    ecma: 2020,
    compress: {
      passes: 4,
      toplevel: true,
      arrows: false,
      unsafe_arrows: true,
      unsafe: true,
      pure_getters: true,
      keep_fargs: false,
      comparisons: false,
      lhs_constants: false,
      inline: 1,
    },
    mangle: { toplevel: true },
    format: { preamble: BANNER },
  });
  writeFileSync(path.join(OUT, file), code);
  return { file, integrity: `${algorithm}-${createHash(algorithm).update(code).digest('base64')}` };
}

/** Each language is a separate script, so that a page only loads its own texts. */
function buildLanguage(language: Language): Promise<ScriptFile> {
  const contents = `import { scripts } from './main-registry.ts';
scripts.parts['texts-${language}'] = ${JSON.stringify(MESSAGES[language])};`;
  return buildScript(`embed-texts-${language}`, { stdin: { contents, resolveDir: 'src/embed', loader: 'ts' } });
}

const entry = (name: string) => ({ entryPoints: [`src/embed/${name}-script.ts`] });

mkdirSync(OUT, { recursive: true });
const admin = await buildScript('embed-admin', { ...entry('admin'), plugins: [inlineCss, noHostClasses, sharedReact] });
const human = await buildScript('embed-human', entry('human'));
const share = await buildScript('embed-share', entry('share'));
const suggest = await buildScript('embed-suggest', entry('suggest'));
const count = await buildScript('embed-count', entry('count'), 'sha384');
const success = await buildScript('embed-success', entry('success'), 'sha384');
const languages = Object.fromEntries(
  await Promise.all(LANGUAGES.map(async (language) => [language, await buildLanguage(language)] as const)),
);
const hashes = Object.fromEntries(LANGUAGES.map((language) => [language, languages[language]?.integrity]));
const texts = await buildScript('embed-texts', {
  ...entry('texts'),
  define: { ...PRODUCTION, TEXT_HASHES: JSON.stringify(hashes) },
});
const main = await buildScript(
  'embed',
  {
    ...entry('main'),
    alias: PREACT_FOR_REACT,
    define: {
      ...PRODUCTION,
      VERSION: JSON.stringify(version),
      HASHES: JSON.stringify({
        admin: admin.integrity,
        human: human.integrity,
        suggest: suggest.integrity,
        texts: texts.integrity,
      }),
    },
  },
  'sha384',
);
writeFileSync(
  path.join(OUT, 'embed.json'),
  `${JSON.stringify({ version, main, count, share, success, admin, human, suggest, texts, languages }, null, 2)}\n`,
);
