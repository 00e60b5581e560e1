/** Assembles the templates from files of the repository's examples and layers of `templates/`. Runs after the build. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Manifest, merged, releasedManifest } from './manifest.ts';

const PACKAGE = path.resolve(import.meta.dirname, '..');
const EXAMPLES = path.resolve(PACKAGE, '../../examples');
const LAYERS = path.join(PACKAGE, 'templates');
const OUTPUT = path.join(PACKAGE, 'dist', 'templates');
const STYLESHEET = path.join(LAYERS, 'page.css');
const STORES = ['sqlite', 'postgres'];

interface Source {
  /** The name of a folder in `examples/`. */
  readonly example: string;
  /** The files of the example that are part of the project, listed one by one, so that nothing else is included. */
  readonly files: readonly string[];
  readonly replace: readonly Replacement[];
  /** The project's path of `templates/page.css`. A replacement imports it. */
  readonly stylesheet: string;
}

/** A difference between an example and a project. The build fails if the example no longer contains the text. */
interface Replacement {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

const FRAMEWORKS: Readonly<Record<string, Source>> = {
  vite: {
    example: 'vite-react',
    files: ['index.html', 'package.json', 'src/**', 'tsconfig.json', 'vite.config.ts'],
    stylesheet: 'src/page.css',
    replace: [importAfterKit('src/app.tsx', './page.css')],
  },
  next: {
    example: 'nextjs',
    files: ['app/**', 'instrumentation.ts', 'next.config.ts', 'package.json', 'proxy.ts', 'server/**', 'tsconfig.json'],
    stylesheet: 'app/page.css',
    replace: [importAfterKit('app/layout.tsx', './page.css')],
  },
  astro: {
    example: 'astro',
    files: ['astro.config.mjs', 'package.json', 'src/**', 'tsconfig.json'],
    stylesheet: 'src/page.css',
    replace: [
      importAfterKit('src/pages/index.astro', '../page.css'),
      // Vite passes .env to pages only, and the example leaves its settings to the host.
      {
        file: 'astro.config.mjs',
        text: 'import node from',
        by: "import { existsSync } from 'node:fs';\nimport { loadEnvFile } from 'node:process';\nimport node from",
      },
      {
        file: 'astro.config.mjs',
        text: 'export default',
        by: "// The server's settings. Astro itself passes .env to pages only.\nif (existsSync('.env')) loadEnvFile();\n\nexport default",
      },
    ],
  },
  html: {
    example: 'static-html',
    files: ['public/embed.html'],
    stylesheet: 'public/page.css',
    // The project's server serves the page and the API.
    replace: [
      {
        file: 'public/embed.html',
        text: '<!-- Or the server\'s own: https://early.example.com/embed.js -->\n    <script src="/early-access-kit/script/embed.js" data-endpoint="http://localhost:4173/api" defer></script>',
        by: '<link rel="stylesheet" href="/page.css" />\n    <script src="/embed.js" defer></script>',
      },
      { file: 'public/embed.html', text: 'http://localhost:4173/api/signup-form', by: '/api/signup-form' },
    ],
  },
};
/** The pages of projects on Firestore, which have no server. */
const ON_FIRESTORE: typeof FRAMEWORKS = {
  vite: {
    example: 'vite-react',
    files: ['index.html', 'package.json', 'src/**', 'tsconfig.json'],
    stylesheet: 'src/page.css',
    replace: [
      {
        file: 'src/app.tsx',
        text: "import 'early-access-kit/styles.css';",
        by: "import 'early-access-kit/styles.css';\nimport { firebaseConfig } from './firebase-config.ts';\nimport './page.css';",
      },
      {
        file: 'src/app.tsx',
        text: "import { httpAdapter } from 'early-access-kit/adapters/http';",
        by: "import { firestoreAdapter } from 'early-access-kit/adapters/firestore';",
      },
      {
        file: 'src/app.tsx',
        text: "const adapter = httpAdapter({ endpoint: '/api' });",
        by: 'const adapter = firestoreAdapter(firebaseConfig);',
      },
    ],
  },
  html: {
    example: 'firebase',
    files: ['build.mjs', 'package.json', 'public/index.html', 'public/firebase-config.js'],
    stylesheet: 'public/page.css',
    replace: [
      {
        file: 'public/index.html',
        text: '<link rel="icon" href="data:," />',
        by: '<link rel="icon" href="data:," />\n    <link rel="stylesheet" href="/page.css" />',
      },
    ],
  },
};

/** Loads the project's stylesheet after the kit's. */
function importAfterKit(file: string, stylesheet: string): Replacement {
  const text = "import 'early-access-kit/styles.css';";
  return { file, text, by: `${text}\nimport '${stylesheet}';` };
}

/** Pages whose name in the project differs from that in the example, where there are several. */
const RENAMED: Readonly<Record<string, string>> = { 'public/embed.html': 'public/index.html' };

rmSync(OUTPUT, { recursive: true, force: true });
for (const [framework, source] of Object.entries(FRAMEWORKS)) {
  for (const store of STORES) {
    build(source, ['common', framework, store], path.join(OUTPUT, `${framework}-${store}`));
  }
}

for (const [framework, source] of Object.entries(ON_FIRESTORE)) {
  build(source, ['firestore', `firestore-${framework}`], path.join(OUTPUT, `${framework}-firestore`));
}

/**
 * Later layers replace files of earlier ones, except that manifests are merged, and settings and READMEs are appended.
 */
function build(source: Source, layers: readonly string[], output: string): void {
  mkdirSync(output, { recursive: true });
  for (const file of listFiles(path.join(EXAMPLES, source.example), source.files)) {
    const target = path.join(output, RENAMED[file] ?? file);
    mkdirSync(path.dirname(target), { recursive: true });
    const text = readFileSync(path.join(EXAMPLES, source.example, file), 'utf8');
    writeFileSync(
      target,
      replaced(
        text,
        source.replace.filter((replacement) => replacement.file === file),
      ),
    );
  }
  cpSync(STYLESHEET, path.join(output, source.stylesheet));
  for (const layer of layers) addLayer(path.join(LAYERS, layer), output);
  const manifest = path.join(output, 'package.json');
  writeJson(manifest, releasedManifest(readManifest(manifest)));
}

function addLayer(layer: string, output: string): void {
  for (const file of listFiles(layer, ['**'])) {
    const [from, target] = [path.join(layer, file), path.join(output, file)];
    mkdirSync(path.dirname(target), { recursive: true });
    if (!existsSync(target)) cpSync(from, target);
    else if (file === 'package.json') writeJson(target, merged(readManifest(target), readManifest(from)));
    else if (file === 'README.md' || file === '_env') {
      writeFileSync(target, `${readFileSync(target, 'utf8')}\n${readFileSync(from, 'utf8')}`);
    } else cpSync(from, target);
  }
}

function listFiles(folder: string, patterns: readonly string[]): string[] {
  const found = globSync([...patterns], { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  if (found.length === 0) throw new Error(`${folder} has no ${patterns.join(', ')}`);
  return found;
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((result, replacement) => {
    if (!result.includes(replacement.text)) throw new Error(`${replacement.file} no longer has ${replacement.text}`);
    return result.replaceAll(replacement.text, replacement.by);
  }, text);
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file: string, manifest: Manifest): void {
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
