import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../run.ts';

/** Names that a module exports at run time, by its specifier, or the message of a failed load. */
type RuntimeNames = Readonly<Record<string, readonly string[] | string>>;

/**
 * The values that an entry's declarations promise are the ones that it exports at run time. `export type` of a class is
 * the usual mistake: the bundled declarations turn it into a value, so an import compiles and fails when it runs.
 */
export async function checkDeclaredValues(
  folder: string,
  { esm, cjs }: { esm: RuntimeNames; cjs: RuntimeNames },
): Promise<string[]> {
  const project = path.join(folder, 'declared-values');
  mkdirSync(project);
  writeFileSync(path.join(project, 'esm.mts'), comparison(esm));
  writeFileSync(path.join(project, 'cjs.cts'), comparison(cjs));
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'node16',
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const { code, output } = await run('tsc', ['--pretty', 'false', '--project', project]);
  return code === 0 ? [] : [`declared values differ from those at run time:\n${output}`];
}

/** Does not compile if a declared value is missing or an exported value is not declared. */
function comparison(names: RuntimeNames): string {
  return Object.entries(names)
    .filter(([, exported]) => Array.isArray(exported))
    .map(([module, exported], index) => {
      const found = [...exported].map((name) => `${name}: true`).join(', ');
      return `import * as entry${index} from '${module}';\n({ ${found} }) satisfies Record<keyof typeof entry${index}, true>;`;
    })
    .join('\n');
}
