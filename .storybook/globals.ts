import { findLanguage, getDirection } from 'early-access-kit/messages';
import { updateFrames } from './document-frame.tsx';

export type Globals = Readonly<Record<string, unknown>>;

/** BCP 47 tags of toolbar languages whose name is not itself a tag. */
const TAGS: Readonly<Record<string, string>> = { pseudo: 'en-XA' };

/**
 * Applies the toolbar's settings to the root element, like a host page. Widgets inherit language, direction, theme and
 * color scheme from it, and framed documents the color scheme.
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
