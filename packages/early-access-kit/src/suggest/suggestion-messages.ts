import type { SuggestionMessages } from '../core/messages.ts';

/** The English text of suggestions, loaded only by forms that have them. */
export const englishSuggestionMessages: SuggestionMessages = { suggestDomain: 'Did you mean {domain}?' };
