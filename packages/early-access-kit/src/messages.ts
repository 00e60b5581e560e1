/**
 * All languages at once, for servers and tools. Pages import only their own, such as `early-access-kit/messages/de`.
 */

import type { Language } from './core/languages.ts';
import type { Messages } from './core/messages.ts';
import { ar } from './messages/ar.ts';
import { de } from './messages/de.ts';
import { en } from './messages/en.ts';
import { es } from './messages/es.ts';
import { fr } from './messages/fr.ts';
import { it } from './messages/it.ts';
import { ja } from './messages/ja.ts';
import { nl } from './messages/nl.ts';
import { pl } from './messages/pl.ts';
import { ptBR } from './messages/pt-br.ts';
import { zhHans } from './messages/zh-hans.ts';

export { findLanguage, getDirection, LANGUAGES, type Language } from './core/languages.ts';

/** The texts of the widgets in each language. */
export const MESSAGES: Readonly<Record<Language, Messages>> = {
  en,
  es,
  ar,
  de,
  fr,
  it,
  ja,
  nl,
  pl,
  'pt-BR': ptBR,
  'zh-Hans': zhHans,
};
