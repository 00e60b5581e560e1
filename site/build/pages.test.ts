import { describe, expect, it } from 'vitest';
import type { Page } from '../src/pages/pages.ts';
import { deferScript } from './defer-script.ts';
import { inlineStylesheets } from './inline-css.ts';
import { assemblePage } from './pages.ts';

const TEMPLATE = '<head><!--head--></head><body><div id="root"><!--page--></div></body>';
const page: Page = { name: 'landing', file: 'index.html', title: 'A & B', description: '"C"', Component: () => null };

describe('assemblePage', () => {
  it('inserts head and markup, including dollar signs', () => {
    const html = assemblePage(TEMPLATE, page, '<p>$22.50 $& $1</p>', 'https://a.example');
    expect(html).toContain('<title>A &#38; B</title>');
    expect(html).toContain('<link rel="canonical" href="https://a.example/">');
    expect(html).toContain('<div id="root" data-page="landing"><p>$22.50 $& $1</p></div>');
  });

  it.each(['<script>run()</script>', '<p style="color: red">', '<p onclick="run()">'])('fails on %s', (markup) => {
    expect(() => assemblePage(TEMPLATE, page, markup, '')).toThrow(/index\.html.*Content-Security-Policy/s);
  });

  it('fails on a template without placeholders', () => {
    expect(() => assemblePage('<body></body>', page, '', '')).toThrow(/<!--head-->/);
  });
});

it('inlineStylesheets fails on a page without styles', () => {
  expect(() => inlineStylesheets('<head></head>', '.')).toThrow(/no stylesheet/);
});

describe('deferScript', () => {
  const page = '<script type="module" crossorigin src="/assets/a.js"></script>';

  it('replaces the module script by the loader, including dollar signs', () => {
    expect(deferScript(page, 'load("$&")')).toBe('<script data-src="/assets/a.js">load("$&")</script>');
  });

  it('fails on a page without a module script, and on a loader that would end its element', () => {
    expect(() => deferScript('<head></head>', 'load()')).toThrow(/no module script/);
    expect(() => deferScript(page, '"</script>"')).toThrow(/end its script element/);
  });
});
