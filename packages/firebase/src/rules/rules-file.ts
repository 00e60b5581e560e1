import path from 'node:path';

/** The rules of a site without fields of its own and without a human check, and the template of all others. */
export const RULES_FILE = path.resolve(import.meta.dirname, '../../firestore.rules');
