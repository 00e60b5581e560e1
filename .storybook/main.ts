import { fileURLToPath } from 'node:url';
import type { StorybookConfig } from '@storybook/react-vite';
import react from '@vitejs/plugin-react';
import tables from 'remark-gfm';
import { mergeConfig, type Plugin, type UserConfig } from 'vite';
import { createConstants } from '../site/build/storage.ts';
import { sentenceCase } from './story-name.ts';

const source = (file: string) => fileURLToPath(new URL(`../packages/early-access-kit/src/${file}`, import.meta.url));

const SERVER_PAGES = 'virtual:server-pages';
const serverPages: Plugin = {
  name: 'server-pages',
  resolveId: (id) => (id === SERVER_PAGES ? `\0${SERVER_PAGES}` : undefined),
  async load(id) {
    if (id !== `\0${SERVER_PAGES}`) return;
    const { renderAllPages } = await import('../packages/early-access-server/src/http/pages/all-pages.fixture.ts');
    return `export default ${JSON.stringify(renderAllPages())}`;
  },
};

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: [
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
  // Its favicon.
  staticDirs: ['../docs-site/brand'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  typescript: {
    // Tests need no prop descriptions, and extracting them from the types is slow.
    reactDocgen: process.env.VITEST ? false : 'react-docgen-typescript',
    reactDocgenTypescriptOptions: {
      tsconfigPath: fileURLToPath(new URL('../packages/early-access-kit/tsconfig.json', import.meta.url)),
      include: ['packages/early-access-kit/src/**/*.tsx'],
      shouldExtractLiteralValuesFromEnum: true,
      shouldRemoveUndefinedFromOptional: true,
    },
  },
  // Stories import the package by its public names. These aliases point to the source, so edits show at once.
  viteFinal: (vite) =>
    mergeConfig(vite, {
      plugins: [react(), serverPages],
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
