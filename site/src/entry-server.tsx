import { text } from 'node:stream/consumers';
import { StrictMode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import type { Page } from './pages/pages.ts';

export { PAGES } from './pages/pages.ts';

/** The page's whole markup. Rejects where a component throws: no Suspense boundary is there to hide it behind. */
export async function renderPage({ Component }: Page): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <Component />
    </StrictMode>,
  );
  return text(prelude);
}
