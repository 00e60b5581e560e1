import { copyFile, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const kit = path.dirname(fileURLToPath(import.meta.resolve('early-access-kit/package.json')));

// For index.html: the package's unbundled modules. Those without React only import each other.
await cp(path.join(kit, 'dist'), 'public/early-access-kit', {
  recursive: true,
  filter: (file) => !/\.(c?ts|cjs|map)$/.test(file),
});

// For embed.html: the script under a name without its version. The overlay's script stays beside it.
const scripts = path.join('public', 'early-access-kit', 'script');
const { main } = JSON.parse(await readFile(path.join(scripts, 'embed.json'), 'utf8'));
await copyFile(path.join(scripts, main.file), path.join(scripts, 'embed.js'));
