import type { Meta } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, waitFor } from 'storybook/test';
import { DocumentFrame, shownDocument } from './document-frame.tsx';

export interface ServerPageProps {
  /** The page and its state, such as `confirm/expired`. */
  readonly page: string;
  /** The language; English if the server does not support it. */
  readonly language?: string;
  /** The toolbar's brand. */
  readonly brand?: string;
  /** Width of the window in pixels. Default: the available width. */
  readonly width?: number;
}

/** Loaded on demand, because these are all pages in all languages. */
const LOADERS = {
  neutral: () => import('virtual:server-pages/neutral'),
  printmargin: () => import('virtual:server-pages/printmargin'),
  bright: () => import('virtual:server-pages/bright'),
};

/** A page that the server renders, as seen by a visitor without scripts or with an emailed link. */
export function ServerPage({ page, language = 'en', brand = 'neutral', ...frame }: ServerPageProps) {
  const [shown, setShown] =
    useState<Readonly<{ brand: string; pages: Readonly<Record<string, Record<string, string>>> }>>();
  useEffect(() => {
    const load = LOADERS[brand as keyof typeof LOADERS] ?? LOADERS.neutral;
    void load().then(({ default: pages }) => setShown({ brand, pages }));
  }, [brand]);
  if (shown === undefined) return null;
  const html = (shown.pages[language] ?? shown.pages.en)?.[page];
  if (html === undefined) throw new Error(`the server has no page ${page}`);
  return <DocumentFrame {...frame} key={shown.brand} html={html} name="Page" />;
}

/** A page's stories use the toolbar's language and brand, and show one state each. */
export const onServerPage = {
  argTypes: { language: { table: { disable: true } }, brand: { table: { disable: true } } },
  render: (args, { globals }) => (
    <ServerPage {...args} language={String(globals.locale)} brand={String(globals.brand)} />
  ),
  play: async ({ canvasElement }) => {
    const page = await waitFor(() => shownDocument(canvasElement));
    const titles = [...page.querySelectorAll('h1')].filter((title) => title.checkVisibility());
    await expect(titles).toHaveLength(1);
  },
} satisfies Partial<Meta<typeof ServerPage>>;
