import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readPage, resolvePagePath } from './shell/pages.ts';
import { preloadPage } from './shell/shell.tsx';
import './page.css';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
const address = resolvePagePath(location);
if (address !== null) history.replaceState(null, '', address);
preloadPage(readPage(new URLSearchParams(location.search)));
createRoot(root).render(
  <StrictMode>
    <App fetch={(input, init) => fetch(input, init)} />
  </StrictMode>,
);
