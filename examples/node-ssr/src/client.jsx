import { keepTypedText } from 'early-access-kit/hydration';
import { hydrateRoot } from 'react-dom/client';
import { Page } from './page.jsx';
import 'early-access-kit/styles.css';

const root = document.getElementById('root');
// If a browser extension has changed the page, React renders it again. This restores what the visitor typed.
hydrateRoot(root, <Page api={root.dataset.api} />, { onRecoverableError: keepTypedText(root) });
