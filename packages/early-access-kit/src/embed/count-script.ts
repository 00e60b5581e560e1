/** `<early-access-count>`, for pages without a bundler: `<script src="…/embed-count.js" defer>`. It needs no other script. */
import { formatCount, readCount } from '../count/read-count.ts';

// `currentScript` is null if the host adds the script dynamically.
const tag = document.currentScript ?? document.querySelector('script[src*=embed-count]');

if (tag instanceof HTMLScriptElement && !customElements.get('early-access-count')) {
  const { endpoint = new URL('api', tag.src).href } = tag.dataset;

  /** Shows nothing until there is a number. Its attributes are `text`, and `text-one`, `text-few` and so on. */
  class CountElement extends HTMLElement {
    async connectedCallback(): Promise<void> {
      const count = await readCount(endpoint);
      const locale = this.closest<HTMLElement>('[lang]')?.lang || undefined;
      if (count === null) return;
      const findForm = (rule: string) => this.getAttribute(rule === 'other' ? 'text' : `text-${rule}`);
      this.textContent = formatCount(count, locale, findForm);
    }
  }
  customElements.define('early-access-count', CountElement);
}
