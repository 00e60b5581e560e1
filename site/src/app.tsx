import { keepTypedText } from 'early-access-kit/hydration';
import { StrictMode } from 'react';
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
    // Preact hydrates immediately. It replaces elements that an extension has moved, such as a field with text in it.
    const restoreText = keepTypedText(root);
    hydrateRoot(root, app);
    restoreText();
  } else {
    // Not prerendered: development, or a host that serves the landing page at every path.
    document.title = page.title;
    root.replaceChildren();
    createRoot(root).render(app);
  }
}
