import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Data written by a release, from its file `data.json`. */
export interface KeptData {
  /** The time of the database and the browsers' data, in epoch milliseconds. */
  readonly keptAt: number;
  /** An API key whose hash is in the database. */
  readonly apiKey: string;
  /** The unsubscribe token of an email to person-10@example.org. */
  readonly unsubscribe: string;
  /** `localStorage` of a visitor with a running session, and of an admin who has unlocked the overlay. */
  readonly visitor: Readonly<Record<string, string>>;
  readonly admin: Readonly<Record<string, string>>;
}

/** Writes a one-page site with every element, for the server to serve with its embed script. Returns its folder. */
export async function writeSite(parent: string): Promise<string> {
  const folder = path.join(parent, 'site');
  await mkdir(folder);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A studio</title><link rel="icon" href="data:,">
<script src="/embed.js" defer></script></head><body><early-access-form></early-access-form>
<early-access-tracker></early-access-tracker><early-access-admin></early-access-admin></body></html>`;
  await writeFile(path.join(folder, 'index.html'), html);
  return folder;
}
