/** The languages that are written from right to left, of those that the toolbar has. */
const RIGHT_TO_LEFT = new Set(['ar']);

/**
 * Says what the toolbar chose where a host page says it too, on the root: the widgets follow the language, the direction and the
 * colour scheme of where they stand.
 */
export function applyGlobals({ theme, locale, direction, motion }: Readonly<Record<string, unknown>>): void {
  const root = document.documentElement;
  const language = typeof locale === 'string' ? locale : 'en';
  root.dataset.theme = typeof theme === 'string' ? theme : 'light';
  root.dataset.motion = motion === 'reduce' ? 'reduce' : 'system';
  root.lang = language;
  root.dir = direction === 'ltr' || direction === 'rtl' ? direction : RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}
