import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readPage } from './shell/pages.ts';
import { preloadPage } from './shell/shell.tsx';
import './page.css';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
preloadPage(readPage(new URLSearchParams(location.search)));
createRoot(root).render(
  <StrictMode>
    <App fetch={(input, init) => fetch(input, init)} />
  </StrictMode>,
);
