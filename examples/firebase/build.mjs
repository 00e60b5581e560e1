import { cp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Copies the package's unbundled modules: those without React only import each other.
const kit = path.dirname(fileURLToPath(import.meta.resolve('early-access-kit/package.json')));
await cp(path.join(kit, 'dist'), 'public/early-access-kit', {
  recursive: true,
  filter: (file) => !/\.(c?ts|cjs|map)$/.test(file),
});
