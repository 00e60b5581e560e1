import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '../pack.ts';
import { ROOT } from '../run.ts';
import { apiReference } from './api-reference.ts';
import { measureSizes, staleSizes, withSizes } from './size-table.ts';

const FOLDER = path.join(ROOT, KIT);
const API = path.join(FOLDER, 'API.md');
const README = path.join(FOLDER, 'README.md');

/** Writes what the package's documents say of the built package. */
export function writeDocuments(): void {
  writeFileSync(API, currentApi());
  writeFileSync(README, withSizes(readFileSync(README, 'utf8'), measureSizes()));
}

/** What the documents say otherwise than the built package is. */
export function staleDocuments(): string[] {
  const api = readFileSync(API, 'utf8') === currentApi() ? [] : ['API.md is not what the declarations say'];
  return [...api, ...staleSizes(readFileSync(README, 'utf8'), measureSizes())];
}

function currentApi(): string {
  const { name, exports } = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8'));
  return apiReference(FOLDER, name, exports);
}
