import { hydrateRoot } from 'react-dom/client';
import { Page } from './page.jsx';
import 'early-access-kit/styles.css';

const root = document.getElementById('root');
hydrateRoot(root, <Page api={root.dataset.api} />);
