import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { pageAt } from './pages/pages.ts';
import './styles/index.css';

const page = pageAt(location.pathname);
const root = document.getElementById('root');

if (root) {
  const app = (
    <StrictMode>
      <page.Component />
    </StrictMode>
  );
  if (root.dataset.page === page.name) {
    // As a transition, React takes the page over in slices, between which the browser answers the visitor.
    startTransition(() => void hydrateRoot(root, app));
  } else {
    // Not prerendered (development), or a host that answers every path with the landing page.
    document.title = page.title;
    createRoot(root).render(app);
  }
}
