import { readdirSync } from 'node:fs';
import path from 'node:path';

/** A file, or files by condition, as in the `exports` of a package.json. */
export type ExportTarget = string | { readonly [condition: string]: ExportTarget };

/**
 * Returns the `exports` of a package.json with patterns such as `./messages/*` expanded to one entry per module, except
 * for excluded ones. The modules are those in `folder`, the package's `src` or `dist`.
 */
export function expandEntries(
  exports: Readonly<Record<string, ExportTarget | null>>,
  folder: string,
): Record<string, ExportTarget> {
  return Object.fromEntries(
    Object.entries(exports).flatMap(([entry, target]) => {
      if (target === null) return [];
      if (!entry.endsWith('/*') || typeof target === 'string') return [[entry, target]];
      return listModules(path.join(folder, entry.slice(0, -'*'.length))).map((name) => [
        entry.replace('*', name),
        fillIn(target, name),
      ]);
    }),
  );
}

/** Lists modules with types: in `src` without tests and fixtures, in `dist` without modules that are only internal. */
function listModules(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => /^([\w-]+)(?:\.d)?\.ts$/.exec(file)?.[1] ?? []);
}

function fillIn(target: ExportTarget, name: string): ExportTarget {
  return typeof target === 'string'
    ? target.replace('*', name)
    : Object.fromEntries(Object.entries(target).map(([condition, file]) => [condition, fillIn(file, name)]));
}
