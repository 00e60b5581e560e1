import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { loadEmbed } from 'early-access-server';
import { type Command, ConfigError, UsageError } from 'early-access-server/internal';

export const HOSTED_FILES_HELP = `\
  dashboard <folder>    write the admin’s dashboard into this folder, for Hosting: public/admin
  scripts <folder>      write embed.js and the scripts that it loads into the folder of the pages, for Hosting: public
`;

/**
 * Writes the dashboard's files into a folder. The server's package only contains them compressed, but Hosting
 * compresses by itself. Replaces an earlier version, and refuses to overwrite a folder with a different page.
 */
export const writeDashboard: Command = async ({ args, stdout }) => {
  const folder = readFolder('dashboard', args);
  const page = path.join(folder, 'index.html');
  if (existsSync(page)) {
    if (!readFileSync(page, 'utf8').includes('/api/admin/session'))
      throw new ConfigError(`${page} is a page of your own; choose another folder, such as public/admin`);
    rmSync(path.join(folder, 'assets'), { recursive: true, force: true });
  }
  const server = path.dirname(fileURLToPath(import.meta.resolve('early-access-server')));
  cpSync(path.join(server, '../dist/dashboard'), folder, { recursive: true });
  for (const file of globSync('**/*.br', { cwd: folder }).map((name) => path.join(folder, name))) {
    writeFileSync(file.slice(0, -'.br'.length), brotliDecompressSync(readFileSync(file)));
    rmSync(file);
  }
  stdout.write(`Wrote    ${folder}\n`);
  return 0;
};

/** Writes the scripts for pages without a bundler, under the same names as on a server. */
export const writeScripts: Command = async ({ args, stdout }) => {
  const folder = readFolder('scripts', args);
  mkdirSync(folder, { recursive: true });
  for (const [name, { variants }] of await loadEmbed())
    writeFileSync(path.join(folder, name), variants.get('identity')?.bytes ?? '');
  stdout.write(`Wrote    ${path.join(folder, 'embed.js')}\n`);
  return 0;
};

function readFolder(command: string, [folder, ...rest]: readonly string[]): string {
  if (folder !== undefined && !folder.startsWith('-') && rest.length === 0) return folder;
  throw new UsageError(`usage: ${command} <folder>`);
}
