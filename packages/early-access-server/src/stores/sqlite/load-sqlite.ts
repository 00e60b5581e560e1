/**
 * Returns `node:sqlite` without the ExperimentalWarning that Node 22 prints when the module is first loaded in a
 * thread. Other warnings are printed as usual. The module is loaded synchronously, so no other warning can occur in
 * between.
 */
export function loadSqliteSilently(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
