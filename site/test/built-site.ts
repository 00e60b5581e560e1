import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPublicUrl } from '../build/head.ts';

const dist = path.resolve(import.meta.dirname, '../dist');
const client = path.join(dist, 'client');

export const PUBLIC_URL = readPublicUrl(process.env.PUBLIC_URL);

export function builtBytes(file: string): Buffer {
  return readFileSync(path.join(client, file));
}

export function builtText(file: string): string {
  return builtBytes(file).toString('utf8');
}

/** Returns the files of the last build, without assets copied from the previous one. */
export function builtFiles(pattern = '**/*'): string[] {
  const own: string[] = JSON.parse(readFileSync(path.join(dist, 'assets.json'), 'utf8'));
  return globSync(pattern, { cwd: client, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(client, path.join(entry.parentPath, entry.name)))
    .filter((file) => path.dirname(file) !== 'assets' || own.includes(path.basename(file)));
}

export function builtPolicy(): { styleHashes: string[]; scriptHashes: string[] } {
  return JSON.parse(readFileSync(path.join(dist, 'policy.json'), 'utf8'));
}

/** Returns the visible text of a page, with each tag and each run of white space as one space. */
export function visibleText(html: string): string {
  return html
    .replace(/<(head|script|style)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}
