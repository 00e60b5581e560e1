/** A file, or files by condition, as in the `exports` of a package.json. */
export type ExportTarget = string | { readonly [condition: string]: ExportTarget };
