/** BCP 47 tags of the toolbar's languages, where they differ from its names. */
const TAGS: Readonly<Record<string, string>> = { pseudo: 'en-XA' };
/** Those of them that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar']);

/**
 * Says what the toolbar chose where a host page says it too, on the root: the widgets follow the language, the direction, the theme
 * and the colour scheme of where they stand.
 */
export function applyGlobals({ theme, locale, direction, motion }: Readonly<Record<string, unknown>>): void {
  const root = document.documentElement;
  const chosen = String(theme);
  const language = typeof locale === 'string' ? locale : 'en';
  root.dataset.theme = chosen.endsWith('dark') ? 'dark' : 'light';
  if (chosen.startsWith('lagoon')) root.dataset.eakTheme = 'lagoon';
  else delete root.dataset.eakTheme;
  root.dataset.motion = motion === 'reduce' ? 'reduce' : 'system';
  root.lang = TAGS[language] ?? language;
  root.dir = direction === 'ltr' || direction === 'rtl' ? direction : RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}
