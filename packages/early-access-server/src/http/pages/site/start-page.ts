import { DEFAULT_BASE } from 'early-access-kit/internal';
import type { BrandOfSite } from '../../../app/brand/brand.ts';
import { escapeHtml } from '../../../mail/templates/escape-html.ts';
import { pageBuilder } from '../page.ts';
import { type Asset, makeAsset } from './asset.ts';
import type { Site } from './site.ts';

/** The empty icon avoids a request for a missing favicon. */
const HEAD = `<link rel="icon" href="data:,">
<script src="/embed.js" defer></script>
`;

/** A site with one page, for a local run without a site: the form to try out, and the snippet to add it to a page. */
export function startPage(brand: BrandOfSite) {
  const { html, styleHash } = pageBuilder(brand);
  const assets = new Map<string, Asset>();
  const site: Site = { assets, notFound: null, policy: { styleHashes: [styleHash], scriptHashes: [] }, isBuilt: true };
  return {
    site,
    /** Renders the page with the server's URL: `http://localhost:4173`. */
    async show(origin: string): Promise<void> {
      const page = html({ language: 'en', title: 'Running', content: createContent(origin), head: HEAD });
      assets.set('/', await makeAsset('index.html', new TextEncoder().encode(page), {}));
    },
  };
}

function createContent(origin: string): string {
  return `<h1>The server is running</h1>
<p>Sign up here to try it. The email is written to a file; the terminal names the folder.</p>
${form('')}
<early-access-tracker></early-access-tracker>
<early-access-admin></early-access-admin>
<h2>Put the form on your page</h2>
<pre><code>${escapeHtml(snippet(origin))}</code></pre>
<p>If your page is on another site, list its address in <code>ALLOWED_ORIGINS</code>. Settings are explained by
<code>npx early-access-server --help</code>.</p>
<p><a href="/admin">Open the dashboard</a></p>
<p>Only this computer sees this page. <code>SITE_DIR</code> serves your own instead.</p>`;
}

function snippet(origin: string): string {
  return `<script src="${origin}/embed.js" defer></script>
${form(origin)}
<early-access-tracker></early-access-tracker>`;
}

/** The custom element, with the form for visitors without scripts. */
function form(origin: string): string {
  return `<early-access-form>
  <form method="post" action="${origin}${DEFAULT_BASE}/signup-form">
    <label>Email address <input type="email" name="email" required autocomplete="email"></label>
    <button type="submit">Join</button>
  </form>
</early-access-form>`;
}
