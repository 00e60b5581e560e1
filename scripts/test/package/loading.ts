import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../run.ts';
import { type Consumer, listModules, listStyles } from './consumer.ts';
import { checkDeclaredValues } from './declared-values.ts';

/** This entry can only be loaded in Vitest. */
const UNDER_VITEST = 'early-access-kit/testing';

/** Checks that every entry loads in Node as ESM and CommonJS, and that both export exactly the declared names. */
export async function checkLoading({ folder, manifest }: Consumer): Promise<string[]> {
  const complaints: string[] = [];
  const modules = listModules(manifest);
  const esm = await loadNames(
    folder,
    'load.mjs',
    [...modules.keys()].map((name) => [name, `Object.keys(await import('${name}'))`]),
  );
  const cjs = await loadNames(
    folder,
    'load.cjs',
    [...modules]
      .filter(([, formats]) => formats.includes('require'))
      .map(([name]) => [name, `Object.keys(require('${name}'))`]),
  );
  for (const [name, formats] of modules) {
    const names = esm[name];
    if (!Array.isArray(names) || names.length === 0) complaints.push(`import '${name}': ${names}`);
    const wanted = name === UNDER_VITEST ? 'import' : 'import,require';
    if (formats.join() !== wanted) complaints.push(`${name} comes as ${formats.join()}, not as ${wanted}`);
    if (formats.includes('require') && `${cjs[name]}` !== `${names}`) {
      complaints.push(`require('${name}') gives ${cjs[name]}, and import gives ${names}`);
    }
  }
  const files = [...listStyles(manifest), `${manifest.name}/package.json`];
  const resolved = await loadNames(
    folder,
    'resolve.cjs',
    files.map((name) => [name, `[require.resolve('${name}')]`]),
  );
  for (const name of files) {
    if (!Array.isArray(resolved[name])) complaints.push(`${name} does not resolve: ${resolved[name]}`);
  }
  complaints.push(...(await checkDeclaredValues(folder, { esm, cjs })));
  return complaints;
}

/** Checks that "use client" is the first statement of entries with widgets, and missing in those that servers call. */
export function checkDirectives({ manifest, read }: Consumer): string[] {
  const directive = /^(["']use strict["'];\n?)?["']use client["'];/;
  const inBoth = Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : Object.values(target).map((files) => ({ entry, file: typeof files === 'string' ? files : files.default })),
  );
  return inBoth.flatMap(({ entry, file }) => {
    if (typeof file !== 'string' || !/\.c?js$/.test(file)) return [];
    const isWidgets = ['.', './fields', './more-fields', './share', './suggest', './count'].includes(entry);
    if (isWidgets === directive.test(read(file))) return [];
    return [
      isWidgets ? `${file} does not open with "use client"` : `${file} opens with "use client": a server cannot use it`,
    ];
  });
}

/** Returns exported names by specifier, or the error message. */
async function loadNames(
  folder: string,
  script: string,
  expressions: readonly (readonly [string, string])[],
): Promise<Record<string, string[] | string>> {
  const attempts = expressions.map(([name, expression]) =>
    script.endsWith('.mjs')
      ? `try { found['${name}'] = ${expression}.sort() } catch (error) { found['${name}'] = String(error) }`
      : `try { found['${name}'] = ${expression}.filter((key) => key !== '__esModule').sort() } catch (error) { found['${name}'] = String(error) }`,
  );
  const file = path.join(folder, script);
  writeFileSync(file, ['const found = {};', ...attempts, 'process.stdout.write(JSON.stringify(found));'].join('\n'));
  const { code, output } = await run(process.execPath, [file], { env: { NODE_ENV: 'production' } });
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${output}`);
  return JSON.parse(output);
}
