import { defineElements, type EmbedParts } from './embed/elements.tsx';
import { createPage, type Page } from './embed/page.tsx';
import { type EmbedSettings, resolveSettings } from './embed/settings.ts';

export type { EmbedSettings } from './embed/settings.ts';
export type {
  EarlyAccessAdminElement,
  EarlyAccessComponents,
  EarlyAccessElements,
  EarlyAccessErrorDetail,
  EarlyAccessFormElement,
  EarlyAccessTrackerElement,
} from './embed/types.ts';

const PARTS: { readonly [Name in keyof EmbedParts]: () => Promise<EmbedParts[Name]> } = {
  admin: () => import('./embed/admin-part.ts'),
  human: () => import('./embed/human-part.ts'),
  suggest: () => import('./embed/suggest-part.ts'),
};

let page: Page | undefined;

// Nothing to define on a server, or if a script tag or another copy has already defined the elements.
if (typeof customElements !== 'undefined' && !customElements.get('early-access-form')) {
  page = createPage(resolveSettings({}));
  defineElements(page, (name) => PARTS[name]());
}

/**
 * Configures all elements of the page. Call it right after the import, before a session starts. Does nothing on a
 * server, or if another copy of the elements was loaded first.
 *
 * @example
 * configure({ endpoint: 'https://early.example.com/api', locale: 'de' });
 */
export function configure(settings: EmbedSettings): void {
  page?.configure(resolveSettings(settings));
}
