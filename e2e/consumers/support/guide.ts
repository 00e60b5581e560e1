import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const GUIDES = path.resolve(import.meta.dirname, '../../../docs/start');
const BLOCK = /^```\w+ file=examples\/[\w-]+\/(\S+)\n([\s\S]*?)^```$/gm;

/** Returns the files that a guide shows, keyed by their path in a project. */
export async function readGuide(name: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(GUIDES, `${name}.md`), 'utf8');
  return new Map([...text.matchAll(BLOCK)].map(([, file = '', content = '']) => [file, content]));
}

export async function writeFiles(folder: string, files: Iterable<readonly [string, string]>): Promise<void> {
  for (const [file, content] of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
}

/** Changes a file of a generated project as a reader of a guide would. Throws if nothing changed. */
export async function editFile(folder: string, file: string, edit: (text: string) => string): Promise<void> {
  const text = await readFile(path.join(folder, file), 'utf8');
  const edited = edit(text);
  if (edited === text) throw new Error(`${file} of the generated project has changed: ${text}`);
  await writeFile(path.join(folder, file), edited);
}

/** Returns the commands that prepare an existing app: those before the first heading that install or add something. */
export async function readCommands(name: string): Promise<readonly string[]> {
  const text = await readFile(path.join(GUIDES, `${name}.md`), 'utf8');
  const [start = ''] = text.split('\n## ', 1);
  return [...start.matchAll(/^(?:npm install|npx) .+$/gm)].map(([command]) => command);
}
