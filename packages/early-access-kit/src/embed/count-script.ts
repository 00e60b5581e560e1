/** `<early-access-count>`, for pages without a bundler: `<script src="…/embed-count.js" defer>`. Works on its own. */
import { formatCount } from '../count/format-count.ts';

// `currentScript` is null if the host adds the script dynamically.
const tag = document.currentScript ?? document.querySelector('script[src*=embed-count]');

if (tag instanceof HTMLScriptElement && !customElements.get('early-access-count')) {
  const { endpoint = new URL('api', tag.src).href } = tag.dataset;
  /** One request for all counters of the page. Undefined if the server provides no number. */
  let reading: Promise<unknown> | undefined;

  async function readCount(): Promise<unknown> {
    const response = await fetch(`${endpoint}/count`, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return (await response.json()).count;
  }

  /** Empty until there is a number. The attributes are `text`, `text-one`, `text-few` and so on. */
  class CountElement extends HTMLElement {
    async connectedCallback(): Promise<void> {
      reading ??= readCount().catch(() => undefined);
      const count = await reading;
      const locale = this.closest<HTMLElement>('[lang]')?.lang || undefined;
      if (typeof count !== 'number') return;
      const findForm = (rule: string) => this.getAttribute(rule === 'other' ? 'text' : `text-${rule}`);
      this.textContent = formatCount(count, locale, findForm);
    }
  }
  customElements.define('early-access-count', CountElement);
}
