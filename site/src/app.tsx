import { keepTypedText } from 'early-access-kit/hydration';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { findPage } from './pages/pages.ts';

const page = findPage(location.pathname);
const root = document.getElementById('root');

if (root) {
  const app = (
    <StrictMode>
      <page.Component />
    </StrictMode>
  );
  if (root.dataset.page === page.name) {
    // React hydrates in slices during a transition, so the browser can respond to the visitor in between.
    startTransition(() => void hydrateRoot(root, app, { onRecoverableError: keepTypedText(root) }));
  } else {
    // Not prerendered (development), or a host that serves the landing page for every path.
    document.title = page.title;
    createRoot(root).render(app);
  }
}
