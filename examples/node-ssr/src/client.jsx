import { keepTypedText } from 'early-access-kit/hydration';
import { hydrateRoot } from 'react-dom/client';
import { Page } from './page.jsx';
import 'early-access-kit/styles.css';

const root = document.getElementById('root');
// If an extension has changed the page, React replaces it. Then this restores what the visitor has typed.
hydrateRoot(root, <Page api={root.dataset.api} />, { onRecoverableError: keepTypedText(root) });
