import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Data that a release has written, in its file `data.json`. */
export interface KeptData {
  /** Epoch milliseconds. The database and the browsers' data are of that time. */
  readonly keptAt: number;
  /** An API key that the database has the hash of. */
  readonly apiKey: string;
  /** The token to unsubscribe of an email to person-10@example.org. */
  readonly unsubscribe: string;
  /** `localStorage` of a visitor whose session runs, and of an admin who has unlocked the overlay. */
  readonly visitor: Readonly<Record<string, string>>;
  readonly admin: Readonly<Record<string, string>>;
}

/**
 * Writes a site of one page with all elements, which the server serves together with its embed script. Returns its
 * folder.
 */
export async function writeSite(parent: string): Promise<string> {
  const folder = path.join(parent, 'site');
  await mkdir(folder);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A studio</title><link rel="icon" href="data:,">
<script src="/embed.js" defer></script></head><body><early-access-form></early-access-form>
<early-access-tracker></early-access-tracker><early-access-admin></early-access-admin></body></html>`;
  await writeFile(path.join(folder, 'index.html'), html);
  return folder;
}
