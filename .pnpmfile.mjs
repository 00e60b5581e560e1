/** Of umami the benchmarks use one file, its tracker. What its server depends on is not installed. */
export const hooks = {
  readPackage: (manifest) => (manifest.name === 'umami' ? { ...manifest, dependencies: {} } : manifest),
};
