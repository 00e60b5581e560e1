import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { type Command, UsageError } from 'early-access-server/app';

export const DASHBOARD_HELP = `\
  dashboard <folder>    write the admin's dashboard into this folder, for Hosting: public/admin
`;

/** Writes the files of the dashboard into a folder. The server's package contains them compressed only, and Hosting compresses by itself. */
export const writeDashboard: Command = async ({ args: [folder, ...rest], stdout }) => {
  if (folder === undefined || folder.startsWith('-') || rest.length > 0)
    throw new UsageError('usage: dashboard <folder>');
  const server = path.dirname(fileURLToPath(import.meta.resolve('early-access-server')));
  cpSync(path.join(server, '../dist/dashboard'), folder, { recursive: true });
  for (const file of globSync('**/*.br', { cwd: folder }).map((name) => path.join(folder, name))) {
    writeFileSync(file.slice(0, -'.br'.length), brotliDecompressSync(readFileSync(file)));
    rmSync(file);
  }
  stdout.write(`Wrote    ${folder}\n`);
  return 0;
};
