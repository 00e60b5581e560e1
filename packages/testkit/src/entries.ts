import { readdirSync } from 'node:fs';
import path from 'node:path';

/** A file, or files by condition, as in the `exports` of a package.json. */
export type ExportTarget = string | { readonly [condition: string]: ExportTarget };

/**
 * The `exports` of a package.json with an entry for each module that a pattern such as `./messages/*` stands for, and
 * without those that it excludes. The modules are those of `folder`, the package's `src` or `dist`.
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

/** The modules with types: without tests and fixtures in `src`, without those that only other modules use in `dist`. */
function listModules(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => /^([\w-]+)(?:\.d)?\.ts$/.exec(file)?.[1] ?? []);
}

function fillIn(target: ExportTarget, name: string): ExportTarget {
  return typeof target === 'string'
    ? target.replace('*', name)
    : Object.fromEntries(Object.entries(target).map(([condition, file]) => [condition, fillIn(file, name)]));
}
