/** The script for pages without a bundler: `<script src="…/embed.js" defer data-endpoint="…">`. */
import { httpAdapter } from '../adapters/http.ts';
import type { Messages } from '../core/messages.ts';
import { hasFlag } from './element.ts';
import { defineElements } from './elements.tsx';
import { createPage } from './page.tsx';
import { partLoader } from './part-loader.ts';

// `currentScript` is null if the host adds the script dynamically.
const tag = document.currentScript ?? document.querySelector('script[data-endpoint]');

// If the script is included again, even in another version, the first one wins.
if (tag instanceof HTMLScriptElement && !customElements.get('early-access-form')) {
  const { endpoint = new URL('api', tag.src).href, locale } = tag.dataset;
  const messages = parseMessages(tag);
  const settings = {
    adapter: httpAdapter({ endpoint }),
    locale,
    messages,
    shareSuccess: hasFlag(tag, 'data-share-success'),
  };
  const page = createPage(settings);
  const load = partLoader(tag, settings.adapter);
  defineElements(page, load);
  const { lang } = document.querySelector<HTMLElement>('early-access-form[lang]') ?? document.documentElement;
  const language = locale ?? lang;
  // The form is in English until the texts arrive. English texts are only loaded to check the keys of the page's own
  // texts, and only in development, which is recognized by a port in the URL.
  if (!/^(en|$)/i.test(language) || (messages && location.port)) {
    load('texts')
      .then(({ findTexts }) => findTexts(load, language, messages))
      .then(
        (texts) => page.configure({ ...settings, ...texts }),
        () => {},
      );
  }
}

function parseMessages({ dataset: { messages } }: HTMLElement): Partial<Messages> | undefined {
  try {
    return messages && JSON.parse(messages);
  } catch (error) {
    // Invalid JSON must not break the form.
    reportError(new Error('early-access-kit: data-messages is not JSON', { cause: error }));
  }
}
