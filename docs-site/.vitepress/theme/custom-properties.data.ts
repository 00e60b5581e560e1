import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type CustomProperty,
  parseCustomProperties,
} from '../../../packages/early-access-kit/docs/custom-properties.ts';
import { ROOT } from '../../content/links.ts';

/** VitePress replaces an import of this file by its data: the properties and their comments, which builds remove. */
export declare const data: readonly CustomProperty[];

const STYLESHEET = path.join(ROOT, 'packages/early-access-kit/src/theme.css');

export default {
  watch: [STYLESHEET],
  load: () => parseCustomProperties(readFileSync(STYLESHEET, 'utf8')),
};
