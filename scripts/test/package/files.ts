import path from 'node:path';
import { type Consumer, listFiles } from './consumer.ts';

const BESIDE_DIST = [
  'API.md',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'firestore.indexes.json',
  'firestore.rules',
  'package.json',
];
const IN_DIST = /^dist\/.+\.(c?js(\.map)?|d\.c?ts|css|json)$/;
const GUIDE = /^docs\/[\w-]+\.md$/;
/** Files that no module imports, because the program serves, starts or copies them. */
const READ_AT_RUN_TIME = /^dist\/(dashboard\/|templates\/|checkpoint-thread\.js)/;
/**
 * References from one file to another: imports, lazy imports, re-exports, `require`, type references and source maps.
 */
const REFERENCE = /(?:from|import|require\(|import\()\s*["'](\.[^"']+)["']|sourceMappingURL=(\S+)/g;

/** Checks that the package contains all files that consumers need, and no others. */
export function checkFiles({ files, manifest, read }: Consumer): string[] {
  const complaints: string[] = [];
  for (const file of files) {
    if (!BESIDE_DIST.includes(file) && ![IN_DIST, GUIDE, READ_AT_RUN_TIME].some((known) => known.test(file)))
      complaints.push(`${file} is in the package but should not be`);
  }
  for (const file of ['LICENSE', 'README.md']) {
    if (!files.includes(file) || read(file).trim() === '') complaints.push(`${file} is missing`);
  }
  if (manifest.license !== 'MIT' || !read('LICENSE').startsWith('MIT License')) complaints.push('no MIT license');
  if (!/^\d+\.\d+\.\d+/.test(manifest.version)) complaints.push(`"${manifest.version}" is not a version`);
  const targets = [...Object.values(manifest.exports).flatMap(listFiles), ...Object.values(manifest.bin ?? {})]
    .map((file) => path.posix.normalize(file))
    .flatMap((file) => (file.endsWith('/*') ? files.filter((name) => name.startsWith(file.slice(0, -1))) : file));
  for (const file of targets) {
    if (!files.includes(file)) complaints.push(`${file} is exported and missing`);
  }
  const served = files.filter((file) => READ_AT_RUN_TIME.test(file));
  const reached = findReachable([...targets, ...served], read, files);
  for (const file of files.filter((name) => name.startsWith('dist/') && !reached.has(name))) {
    complaints.push(`${file} is reached from no entry`);
  }
  return complaints;
}

/**
 * Modules without source maps, which would be most of the download: programs for Node, which are not minified; the
 * kit's CommonJS, texts, minified scripts, contract suite, human checks and loaded parts, and elements with their
 * Preact.
 */
const WITHOUT_MAP =
  /^early-access-((server|firebase)\/|kit\/dist\/(.+\.cjs|(script|messages|testing|human)\/.+|(adapters\/firestore\/on-demand|messages|testing|embed|(chunk|\w+-part)-\w+)\.js)$)/;

/** Checks that every other module has a source map with its sources, so that debuggers can show them. */
export function checkSourceMaps({ files, read, manifest }: Consumer): string[] {
  return files
    .filter((file) => /\.c?js$/.test(file) && !/^dist\/(dashboard|templates)\//.test(file))
    .flatMap((file) => {
      const map = `${file}.map`;
      if (WITHOUT_MAP.test(`${manifest.name}/${file}`)) {
        return read(file).includes('sourceMappingURL') ? [`${file} names a source map`] : [];
      }
      if (!read(file).includes(`sourceMappingURL=${path.basename(map)}`)) return [`${file} names no source map`];
      if (!files.includes(map)) return [`${map} is missing`];
      const { sources, sourcesContent = [] }: { sources: string[]; sourcesContent?: (string | null)[] } = JSON.parse(
        read(map),
      );
      return sources.filter((_, index) => !sourcesContent[index]).map((source) => `${map} lacks the text of ${source}`);
    });
}

function findReachable(
  entries: readonly string[],
  read: (file: string) => string,
  files: readonly string[],
): Set<string> {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file) || !files.includes(file)) return;
    reached.add(file);
    if (!/\.(c?js|d\.c?ts)$/.test(file)) return;
    for (const [, module, map] of read(file).matchAll(REFERENCE)) {
      const target = path.posix.join(path.posix.dirname(file), module ?? map ?? '');
      // Declaration files import modules by their JavaScript name.
      visit(/\.d\.c?ts$/.test(file) ? target.replace(/\.(c?)js$/, '.d.$1ts') : target);
    }
  };
  entries.forEach(visit);
  return reached;
}
