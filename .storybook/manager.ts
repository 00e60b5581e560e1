import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming/create';
import mark from '../docs-site/brand/favicon.svg';

/** The kit's mark and name, as wide as the sidebar allows in every font. */
function createBrand(color: string): string {
  const href = mark.replaceAll('"', '%22').replaceAll('<', '%3C');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 24" width="160" height="24">
<image href="${href}" y="2" width="20" height="20"/>
<text x="28" y="17" font-family="system-ui, sans-serif" font-size="16" font-weight="700" textLength="130" lengthAdjust="spacingAndGlyphs" fill="${color}">early-access-kit</text>
</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const BRAND = { brandTitle: 'early-access-kit', brandUrl: './' };
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;

// The colors of the documentation site.
addons.setConfig({
  theme: isDark
    ? create({
        ...BRAND,
        base: 'dark',
        brandImage: createBrand('#f1f2f5'),
        colorPrimary: '#a3bcff',
        colorSecondary: '#3f6df0',
        barSelectedColor: '#a3bcff',
        barHoverColor: '#c2d2ff',
        appBg: '#161618',
        appContentBg: '#1b1b1f',
        barBg: '#1b1b1f',
      })
    : create({
        ...BRAND,
        base: 'light',
        brandImage: createBrand('#16181d'),
        colorPrimary: '#1f4fd1',
        colorSecondary: '#1f4fd1',
        barSelectedColor: '#1f4fd1',
        barHoverColor: '#1a44b8',
        appBg: '#f6f6f7',
      }),
});
