import { fileURLToPath } from 'node:url';
import { SITE_BRAND } from '@early-access-kit/testkit/site-settings';
import type { StorybookConfig } from '@storybook/react-vite';
import react from '@vitejs/plugin-react';
import type { Brand } from 'early-access-server';
import { readBrand, readBrandFiles } from 'early-access-server/internal';
import tables from 'remark-gfm';
import { mergeConfig, type Plugin, type UserConfig } from 'vite';
import { createConstants } from '../site/build/storage.ts';
import { sentenceCase } from './story-name.ts';

const source = (file: string) => fileURLToPath(new URL(`../packages/early-access-kit/src/${file}`, import.meta.url));

/** The brands in the toolbar. PrintMargin's is that of the site. */
const BRANDS: Readonly<Record<string, Brand>> = {
  neutral: { name: 'Acme', url: 'https://www.acme.example/' },
  printmargin: { ...readBrand(SITE_BRAND, null, readBrandFiles(SITE_BRAND)), url: 'https://printmargin.example/' },
  // A light accent needs dark text.
  bright: {
    name: 'Fernwood Ceramics',
    url: 'https://fernwood.example/',
    colors: { accent: '#ffd400', background: '#eef4ee' },
  },
};

const VIRTUAL = /^virtual:(?:brands|server-pages\/(\w+))$/;
const ofServer: Plugin = {
  name: 'server-in-stories',
  resolveId: (id) => (VIRTUAL.test(id) ? `\0${id}` : undefined),
  async load(id) {
    const [match, brand] = VIRTUAL.exec(id.slice(1)) ?? [];
    if (!id.startsWith('\0') || match === undefined) return;
    if (brand === undefined) return `export default ${JSON.stringify(BRANDS)}`;
    const { renderAllPages } = await import('../packages/early-access-server/src/http/pages/all-pages.fixture.ts');
    return `export default ${JSON.stringify(renderAllPages(BRANDS[brand]))}`;
  },
};

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: [
    './*.stories.tsx',
    '../packages/early-access-kit/docs/*.mdx',
    '../packages/early-access-kit/{src,stories}/**/*.stories.tsx',
    '../packages/early-access-server/src/**/*.stories.tsx',
    '../packages/dashboard/src/**/*.stories.tsx',
    '../site/src/**/*.stories.tsx',
  ],
  addons: [
    {
      name: '@storybook/addon-docs',
      options: { mdxPluginOptions: { mdxCompileOptions: { remarkPlugins: [tables] } } },
    },
    '@storybook/addon-a11y',
    '@storybook/addon-vitest',
  ],
  experimental_indexers: async (indexers = []) =>
    indexers.map((indexer) => ({
      ...indexer,
      createIndex: async (file, options) =>
        (await indexer.createIndex(file, options)).map((entry) => ({ ...entry, name: sentenceCase(entry.name ?? '') })),
    })),
  // The favicon.
  staticDirs: ['../docs-site/brand'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  typescript: {
    // Tests do not need prop descriptions, and extracting them from types is slow.
    reactDocgen: process.env.VITEST ? false : 'react-docgen-typescript',
    reactDocgenTypescriptOptions: {
      tsconfigPath: fileURLToPath(new URL('../packages/early-access-kit/tsconfig.json', import.meta.url)),
      include: ['packages/early-access-kit/src/**/*.tsx'],
      shouldExtractLiteralValuesFromEnum: true,
      shouldRemoveUndefinedFromOptional: true,
    },
  },
  // Stories import the package by its public names. These aliases point to the source, so that edits show immediately.
  viteFinal: (vite) =>
    mergeConfig(vite, {
      plugins: [react(), ofServer],
      define: createConstants({ kind: 'http' }),
      resolve: {
        alias: [
          { find: /^early-access-kit\/(.+\.css)(\?inline)?$/, replacement: source('$1$2') },
          { find: /^early-access-kit\/(.+)$/, replacement: source('$1.ts') },
          { find: /^early-access-kit$/, replacement: source('index.ts') },
        ],
      },
      build: {
        rolldownOptions: {
          // "use client" has no effect without a server, and the bundler warns about it in every file.
          onLog: (level, log, handle) => {
            if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
          },
        },
      },
    } satisfies UserConfig),
};

export default config;
