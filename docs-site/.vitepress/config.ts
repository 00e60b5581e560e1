import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import { deadLinks } from '../content/dead-links.ts';
import { makeSlug, REPOSITORY, ROOT } from '../content/links.ts';
import { writeForModels } from '../content/llms.ts';
import { readPages } from '../content/pages.ts';
import { writePages } from '../content/write-pages.ts';
import { NAVIGATION } from '../navigation.ts';

/** The kit's mark, also used by Storybook. */
const ICON = readFileSync(path.join(import.meta.dirname, '../brand/favicon.svg'), 'utf8');

/** The base path of the site on its host, with a slash at both ends. */
const BASE = process.env.DOCS_BASE || '/';

const pages = readPages();
writePages(pages);
const reference = pages.filter(({ path }) => path.startsWith('reference/'));

export default defineConfig({
  srcDir: '.cache/pages',
  outDir: 'dist',
  cacheDir: '.cache/vitepress',
  base: BASE,
  lang: 'en',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  title: 'early-access-kit',
  description: 'Early-access signups and session statistics without cookies for your landing page',
  // `deadLinks` checks the built pages instead, including fragments.
  ignoreDeadLinks: true,
  buildEnd({ outDir }) {
    writeForModels(pages, outDir, BASE);
    const dead = deadLinks(outDir, BASE);
    if (dead.length > 0) throw new Error(`Links that lead nowhere:\n${dead.join('\n')}`);
  },
  // The source file, for the edit link. If the link's pattern was a function, the page would need `eval`.
  transformPageData: ({ frontmatter }) => ({ filePath: frontmatter.source }),
  vite: {
    plugins: [
      {
        name: 'pages-of-the-repository',
        // Shows edits immediately in development.
        configureServer({ watcher, config }) {
          const sources = new Set(pages.map(({ source }) => path.join(ROOT, source)));
          watcher.add([...sources]);
          watcher.on('change', (file) => {
            if (!sources.has(file)) return;
            try {
              writePages(readPages());
            } catch (error) {
              config.logger.error(String(error));
            }
          });
        },
      },
    ],
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('early-access-') } } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: makeSlug },
    // Pages are written for GitHub, so braces must not have a meaning for Vue or VitePress.
    attrs: { disable: true },
    config: (md) => {
      md.core.ruler.push('verbatim-code', ({ tokens }) => {
        for (const { children } of tokens) {
          for (const token of children ?? []) if (token.type === 'code_inline') token.attrSet('v-pre', '');
        }
      });
    },
    languageAlias: { caddy: 'nginx' },
  },
  themeConfig: {
    nav: [
      { text: 'Get started', link: '/start/react', activeMatch: '^/start/' },
      { text: 'Widgets', link: '/widgets/overview', activeMatch: '^/widgets/' },
      { text: 'Reference', link: `/${reference[0]?.path}`, activeMatch: '^/reference/' },
    ],
    sidebar: [
      ...NAVIGATION.map(({ text, places }) => ({
        text,
        items: places.map(({ text, path }) => ({ text, link: `/${path}` })),
      })),
      {
        text: 'API reference',
        items: reference.map(({ text, path }) => ({ text, link: `/${path}` })),
      },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page' },
  },
});
