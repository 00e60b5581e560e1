/**
 * Returns `node:sqlite` without the ExperimentalWarning that Node 22 prints when the module is first loaded in a
 * thread. Every other warning is printed as usual. The module is loaded within the call, so nothing else can warn
 * meanwhile.
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
