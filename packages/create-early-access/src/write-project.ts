import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderFailure } from './folder.ts';

/** Values for placeholders such as `{{name}}` in documents and in the manifest. */
export type Placeholders = Readonly<Record<string, string>>;

/** npm omits files such as `.gitignore` from packages, so their names start with this character in templates. */
const DOT = /^_/;
const WITH_PLACEHOLDERS = /\.(json|md)$/;
/** Will contain passwords, so only its owner may read it. */
const SETTINGS = '.env';

/** Writes a template into a folder. Never overwrites files; if one cannot be written, removes all written ones. */
export function writeProject(template: string, folder: string, placeholders: Placeholders): void {
  const written: string[] = [];
  try {
    const created = mkdirSync(folder, { recursive: true });
    if (created !== undefined) written.push(created);
    for (const file of listFiles(template)) {
      const target = path.join(folder, file.replace(DOT, '.'));
      const content = readFileSync(path.join(template, file), 'utf8');
      const parent = mkdirSync(path.dirname(target), { recursive: true });
      if (parent !== undefined) written.push(parent);
      writeFileSync(target, WITH_PLACEHOLDERS.test(file) ? filled(content, placeholders) : content, {
        flag: 'wx',
        mode: path.basename(target) === SETTINGS ? 0o600 : 0o666,
      });
      written.push(target);
    }
  } catch (error) {
    for (const file of written.reverse()) rmSync(file, { recursive: true, force: true });
    throw folderFailure(folder, error);
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(path.join(folder, file)).isFile(),
  );
}

function filled(text: string, placeholders: Placeholders): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => placeholders[name] ?? placeholder);
}
