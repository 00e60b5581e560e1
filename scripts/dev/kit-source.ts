import path from 'node:path';

const SOURCE = path.resolve(import.meta.dirname, '../../packages/early-access-kit/src');

/**
 * Maps the package's imports to source files, so that changes need no build. In the format of Vite's `resolve.alias`.
 */
export const KIT_SOURCE = [
  { find: /^early-access-kit$/, replacement: `${SOURCE}/index.ts` },
  { find: /^early-access-kit\/(.+\.css)$/, replacement: `${SOURCE}/$1` },
  { find: /^early-access-kit\/(?!package\.json$)(.+)$/, replacement: `${SOURCE}/$1.ts` },
];
