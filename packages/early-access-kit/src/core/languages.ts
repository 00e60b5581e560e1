/** The BCP 47 tags of the languages that have texts. */
export const LANGUAGES = ['en', 'es', 'ar', 'de', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'zh-Hans'] as const;
/** A language of which the kit has texts. */
export type Language = (typeof LANGUAGES)[number];

const BY_SCRIPT: ReadonlyMap<string | undefined, Language> = new Map(
  LANGUAGES.map((language) => [readScript(language), language]),
);

/**
 * The language that a reader of this BCP 47 tag can read: the same language in the same script, so `pt` and `pt-PT`
 * find `pt-BR`, and `zh-CN` finds `zh-Hans`, but `zh-TW` finds nothing.
 *
 * @example
 * const messages = MESSAGES[findLanguage(navigator.language) ?? 'en'];
 */
export function findLanguage(tag: string): Language | undefined {
  return BY_SCRIPT.get(readScript(tag));
}

/** The language and its script, such as `pt-Latn`, of a tag that is valid. */
function readScript(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}

/**
 * The direction in which a language is written.
 *
 * @example
 * document.documentElement.dir = getDirection('ar'); // 'rtl'
 */
export function getDirection(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
