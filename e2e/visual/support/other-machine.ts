import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../../node_modules/.cache/e2e-visual-fonts');

const SETTINGS = [
  '<edit name="hinting" mode="assign"><bool>true</bool></edit>',
  '<edit name="autohint" mode="assign"><bool>true</bool></edit>',
  '<edit name="hintstyle" mode="assign"><const>hintfull</const></edit>',
  '<edit name="rgba" mode="assign"><const>rgb</const></edit>',
].join('');

/** Font settings of a machine with full hinting and subpixel antialiasing. */
export function fontSettingsOfAnotherMachine(): string {
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, 'fonts.conf');
  const matches = ['pattern', 'font'].map((target) => `<match target="${target}">${SETTINGS}</match>`).join('');
  const folders = `<dir>/usr/share/fonts</dir><dir>${FOLDER}/../chromium/fonts</dir><cachedir>${FOLDER}</cachedir>`;
  writeFileSync(file, `<?xml version="1.0"?>\n<fontconfig>${folders}${matches}</fontconfig>\n`);
  return file;
}
