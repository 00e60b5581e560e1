import type { Page } from '../src/pages/pages.ts';
import { renderHead } from './head.ts';
import { inlineViolations } from './html.ts';

/** Inserts a page into Vite's HTML template. Throws if the result would contain an inline script or style. */
export function assemblePage(template: string, page: Page, markup: string, publicUrl: string): string {
  const html = fill(
    fill(template, '<!--head-->', renderHead(page, publicUrl)),
    '<div id="root"><!--page--></div>',
    `<div id="root" data-page="${page.name}">${markup}</div>`,
  );
  const violations = inlineViolations(html);
  if (violations.length > 0) {
    throw new Error(`${page.file}: a strict Content-Security-Policy blocks\n${violations.join('\n')}`);
  }
  return html;
}

function fill(template: string, place: string, content: string): string {
  if (!template.includes(place)) throw new Error(`the template has no ${place}`);
  return template.replace(place, () => content);
}
