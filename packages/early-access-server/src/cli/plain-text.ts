import type { Setting } from './setting.ts';

/** The meaning of a setting and its default, without the marks of Markdown: for a terminal or a comment. */
export function plainMeaning({ options: { meaning, fallback = 'none' } }: Setting<unknown>): string {
  return `${sentence(meaning)}. Default: ${fallback}`.replaceAll('`', '');
}

/** Capitalizes the first letter, unless the text begins with a value. */
function sentence(markdown: string): string {
  return markdown.charAt(0).toUpperCase() + markdown.slice(1);
}
