import { describe, expect, it } from 'vitest';
import { builtText, visibleText } from './built-site.ts';

const html = builtText('index.html');
const text = visibleText(html);

describe('the landing page without scripts', () => {
  it('has its sections in order', () => {
    const sections = [...html.matchAll(/<(?:section|footer)[^>]*class="([a-z-]+)/g)].map(([, name]) => name);
    expect(sections).toEqual(['hero', 'how-it-works', 'benefits', 'before-after', 'bottom-signup', 'site-footer']);
  });

  it.each([
    /costs, platform fees, taxes and shipping,? calculated automatically/i,
    /exact profit margin/i,
    /10\+ print-on-demand platforms compared/i,
    /any currency or region/i,
    /2-3 minutes, not 4-6 hours/,
  ])('promises %s', (promise) => {
    expect(text).toMatch(promise);
  });

  it('has every range in an element that does not wrap', () => {
    expect(text.match(/\d-\d/g)?.length).toBeGreaterThan(6);
    const others = visibleText(html.replace(/<span class="range-text">.*?<\/span>/g, ''));
    expect(others).not.toMatch(/\d-\d/);
  });

  it('has three benefits in the hero', () => {
    const list = /<ul class="hero__benefits">(.*?)<\/ul>/s.exec(html)?.[1] ?? '';
    expect(list.match(/<li>/g)).toHaveLength(3);
  });

  it.each([
    'Canvas Print 16x20',
    'Cost $12.50',
    'Sell price $35.00',
    'Profit $22.50',
    'Margin 64%',
    'Recommended margin 55-70%',
  ])('shows "%s" on the sample card', (figure) => {
    expect(text).toContain(figure);
  });

  it.each([
    'How It Works',
    'Choose product',
    'Auto-calculate costs',
    'Set perfect prices',
    'Exact net profit',
    'Compare platforms',
    'Launch in minutes',
    'Any currency or region',
    'Before vs After',
  ])('has the heading "%s"', (heading) => {
    expect(html).toMatch(new RegExp(`<h[23][^>]*>${heading}</h[23]>`));
  });

  it('has two forms that work without scripts', () => {
    const forms = [...html.matchAll(/<form[^>]*>/g)].map(([form]) => form);
    expect(forms).toHaveLength(2);
    for (const form of forms) {
      expect(form).toContain('method="post"');
      expect(form).toContain('action="/api/signup-form"');
    }
  });

  it('has the copyright and the privacy note in the footer', () => {
    const footer = visibleText(/<footer.*<\/footer>/s.exec(html)?.[0] ?? '');
    expect(footer).toMatch(/© 2025 PrintMargin/);
    for (const word of ['No cookies', 'no third parties', 'Global Privacy Control', 'deleted']) {
      expect(footer).toContain(word);
    }
  });

  it('has one level 1 heading and skips no level', () => {
    const levels = [...html.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels[0]).toBe(1);
    levels.reduce((before, level) => {
      expect(level).toBeLessThanOrEqual(before + 1);
      return level;
    });
  });
});

describe('the 404 page without scripts', () => {
  const notFound = builtText('404.html');

  it('says that the page was not found, and links to the landing page', () => {
    expect(visibleText(notFound)).toContain('Oops! Page not found');
    expect(notFound).toMatch(/<a [^>]*href="\/"[^>]*>Return to Home<\/a>/);
  });

  it('is not indexed by search engines', () => {
    expect(notFound).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('noindex');
  });
});
