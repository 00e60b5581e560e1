import { findLanguage, getDirection } from 'early-access-kit/messages';
import { updateFrames } from './document-frame.tsx';

export type Globals = Readonly<Record<string, unknown>>;

/** BCP 47 tags of toolbar languages whose name is not a tag itself. */
const TAGS: Readonly<Record<string, string>> = { pseudo: 'en-XA' };

/**
 * Sets the toolbar's choices on the root element, as a host page would. The widgets inherit language, direction, theme
 * and color scheme from there, and framed documents the color scheme.
 */
export function applyGlobals({ theme, locale, direction, motion }: Globals): void {
  const root = document.documentElement;
  const chosen = String(theme);
  const language = typeof locale === 'string' ? locale : 'en';
  root.dataset.theme = chosen.endsWith('dark') ? 'dark' : 'light';
  if (chosen.startsWith('lagoon')) root.dataset.eakTheme = 'lagoon';
  else delete root.dataset.eakTheme;
  root.dataset.motion = motion === 'reduce' ? 'reduce' : 'system';
  root.lang = TAGS[language] ?? language;
  root.dir = direction === 'ltr' || direction === 'rtl' ? direction : getDirection(findLanguage(language) ?? 'en');
  updateFrames();
}
