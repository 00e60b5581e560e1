import pages from 'virtual:server-pages';
import type { Meta } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { DocumentFrame, shownDocument } from './document-frame.tsx';

export interface ServerPageProps {
  /** The page and its state, such as `confirm/expired`. */
  readonly page: string;
  /** The language; English if the server has no texts in it. */
  readonly language?: string;
  /** Width of the window in pixels. Defaults to the available width. */
  readonly width?: number;
}

/** A page that the server writes, as a visitor without scripts or with a link from an email sees it. */
export function ServerPage({ page, language = 'en', ...frame }: ServerPageProps) {
  const html = (pages[language] ?? pages.en)?.[page];
  if (html === undefined) throw new Error(`the server has no page ${page}`);
  return <DocumentFrame {...frame} html={html} name="Page" />;
}

/** The stories of a page are in the toolbar's language, and show one state at a time. */
export const onServerPage = {
  argTypes: {
    page: { control: 'select', options: Object.keys(pages.en ?? {}) },
    language: { table: { disable: true } },
  },
  render: (args, { globals }) => <ServerPage {...args} language={String(globals.locale)} />,
  play: async ({ canvasElement }) => {
    const page = await shownDocument(canvasElement);
    const titles = [...page.querySelectorAll('h1')].filter((title) => title.checkVisibility());
    await expect(titles).toHaveLength(1);
  },
} satisfies Partial<Meta<typeof ServerPage>>;
