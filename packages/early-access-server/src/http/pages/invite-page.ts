import type { BrandOfSite } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { LINK_STYLE, linkAlert, linkScript, newLinkForm, newLinkSent } from './link-page.ts';
import { pageBuilder } from './page.ts';
import { type AllPageTexts, linkBack, resolveTexts } from './page-texts.ts';

/**
 * The page that the link in an invitation leads to. It opens the product's page with the token, which the server does
 * not see. A direct link to the product would be a dead end if a mail filter removed its fragment, because the product
 * cannot send a new one.
 */
export function invitePage(brand: BrandOfSite, product: URL, pageTexts: AllPageTexts = resolveTexts()) {
  const { headers, html } = pageBuilder(brand, {
    script: linkScript('invite') + SCRIPT,
    style: () => LINK_STYLE,
    referrerPolicy: 'no-referrer',
  });
  return {
    headers,
    html(language: Language, backLink: string): string {
      const texts = pageTexts[language];
      const content = `<section data-step="open" hidden>
<h1 tabindex="-1">${escapeHtml(texts.invitedTitle)}</h1>
<p>${escapeHtml(texts.inviteOpenText)}</p>
<a class="button" data-product="${escapeHtml(productLink(product))}">${escapeHtml(texts.inviteButton)}</a>
</section>
<section data-step="unknown" hidden>
<h1 tabindex="-1">${escapeHtml(texts.unknownTitle)}</h1>
<p>${escapeHtml(texts.unknownText)}</p>
${newLinkForm(texts, 'unknown')}
${linkBack(texts, backLink)}
</section>
${newLinkSent(texts, backLink)}
${linkAlert(texts)}`;
      return html({ language, title: texts.invitedTitle, content });
    },
  };
}

/** The product's page up to the token. A single-page product may use the fragment as its route. */
export function productLink(product: URL): string {
  const url = new URL(product);
  const route = url.hash.slice(1);
  url.hash = route === '' ? 'invite=' : `${route}${route.includes('?') ? '&' : '?'}invite=`;
  return url.href;
}

const SCRIPT = `
whenShown(() => {
  if (token === null) return show('unknown');
  const product = document.querySelector('[data-product]');
  product.href = product.dataset.product + token;
  show('open');
  location.replace(product.href);
});
`;
