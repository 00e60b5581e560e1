import path from 'node:path';

/** The package's own folder, both from `src/` and from `dist/`. */
const PACKAGE = path.resolve(import.meta.dirname, '..');

/** The rules of a site without custom fields or direct signups, and the template of all others. */
export const RULES_FILE = path.join(PACKAGE, 'firestore.rules');
export const INDEXES_FILE = path.join(PACKAGE, 'firestore.indexes.json');
export const MANIFEST_FILE = path.join(PACKAGE, 'package.json');
/** The parameters of the functions with their defaults, which the build writes. */
export const PARAMETERS_FILE = path.join(PACKAGE, 'dist/templates/functions.env');
