import type { SuggestionMessages } from '../core/messages.ts';

/** The English text of suggestions, which only their users load. */
export const englishSuggestionMessages: SuggestionMessages = { suggestDomain: 'Did you mean {domain}?' };
