import { text } from 'node:stream/consumers';
import { StrictMode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import type { Page } from './pages/pages.ts';

export { PAGES } from './pages/pages.ts';

/** Renders a page's complete markup. Rejects if a component throws, because no Suspense boundary catches the error. */
export async function renderPage({ Component }: Page): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <Component />
    </StrictMode>,
  );
  return text(prelude);
}
