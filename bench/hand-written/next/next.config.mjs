import path from 'node:path';

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  serverExternalPackages: ['better-sqlite3'],
  // The folder with `signup.ts` and the packages.
  turbopack: { root: path.resolve(import.meta.dirname, '..') },
  typescript: { ignoreBuildErrors: true },
};
