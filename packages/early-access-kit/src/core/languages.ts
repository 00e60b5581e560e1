/** The BCP 47 tags of the languages that the kit has texts for. */
export const LANGUAGES = ['en', 'es', 'ar', 'de', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'zh-Hans'] as const;
/** A language that the kit has texts for. */
export type Language = (typeof LANGUAGES)[number];

const BY_SCRIPT: ReadonlyMap<string | undefined, Language> = new Map(
  LANGUAGES.map((language) => [readScript(language), language]),
);

/**
 * Returns the kit's language for a BCP 47 tag: the same language in the same script, so `pt` and `pt-PT` give `pt-BR`,
 * and `zh-CN` gives `zh-Hans`, but `zh-TW` gives undefined.
 *
 * @example
 * const messages = MESSAGES[findLanguage(navigator.language) ?? 'en'];
 */
export function findLanguage(tag: string): Language | undefined {
  return BY_SCRIPT.get(readScript(tag));
}

/** Returns language and script of a tag, such as `pt-Latn`; undefined if the tag is invalid. */
function readScript(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns the writing direction of a language.
 *
 * @example
 * document.documentElement.dir = getDirection('ar'); // 'rtl'
 */
export function getDirection(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
