/** The script for pages without a bundler: `<script src="…/embed.js" defer data-endpoint="…">`. */
import type { Messages } from '../core/messages.ts';
import { defineElements } from './elements.tsx';
import { createPage } from './page.tsx';
import { partLoader } from './part-loader.ts';

// `currentScript` is null if the host adds the script dynamically.
const tag = document.currentScript ?? document.querySelector('script[data-endpoint]');

// If the script is included again, even in another version, the first one wins.
if (tag instanceof HTMLScriptElement && !customElements.get('early-access-form')) {
  const page = createPage();
  const { endpoint = new URL('api', tag.src).href, locale } = tag.dataset;
  page.configure({ endpoint, locale, shareSuccess: 'shareSuccess' in tag.dataset, messages: parseMessages(tag) });
  defineElements(page, partLoader(tag));
}

function parseMessages({ dataset: { messages } }: HTMLElement): Partial<Messages> | undefined {
  try {
    return messages && JSON.parse(messages);
  } catch (error) {
    // Invalid JSON must not break the form.
    reportError(new Error('early-access-kit: data-messages is not JSON', { cause: error }));
  }
}
