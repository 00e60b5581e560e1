import { defineElements } from './embed/elements.tsx';
import { createPage, type Page } from './embed/page.tsx';
import type { EmbedSettings } from './embed/settings.ts';

export type { EmbedSettings } from './embed/settings.ts';
export type {
  EarlyAccessErrorDetail,
  EarlyAccessFormElement,
  EarlyAccessTrackerElement,
} from './embed/types.ts';

let page: Page | undefined;

// On a server there is nothing to define; a script tag or another copy may have been first.
if (typeof customElements !== 'undefined' && !customElements.get('early-access-form')) {
  page = createPage();
  defineElements(page, () => import('./embed/admin-part.ts'));
}

/**
 * Sets what all elements of the page have in common. To be called right after the import, before a visit has begun.
 * Does nothing on a server, and where another copy of the elements has been first.
 */
export function configure(settings: EmbedSettings): void {
  page?.configure(settings);
}
