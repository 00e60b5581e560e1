import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../run.ts';

/** A module's runtime exports by specifier, or the error message of a failed import. */
type RuntimeNames = Readonly<Record<string, readonly string[] | string>>;

/**
 * Checks that an entry's runtime exports are the declared ones. The usual mistake is an `export type` of a class: the
 * bundled declarations turn it into a value, so that an import compiles but fails at run time.
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

/** Returns code that does not compile if a declared value is missing or an exported value is not declared. */
function comparison(names: RuntimeNames): string {
  return Object.entries(names)
    .filter(([, exported]) => Array.isArray(exported))
    .map(([module, exported], index) => {
      const found = [...exported].map((name) => `${name}: true`).join(', ');
      return `import * as entry${index} from '${module}';\n({ ${found} }) satisfies Record<keyof typeof entry${index}, true>;`;
    })
    .join('\n');
}
