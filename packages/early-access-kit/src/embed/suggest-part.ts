import { offerSuggestions } from '../suggest/offer-suggestions.ts';
import { englishSuggestionMessages } from '../suggest/suggestion-messages.ts';
import type { SuggestPart } from './elements.tsx';

export const suggest: SuggestPart['suggest'] = (root, page) => {
  const input = root.querySelector('input');
  if (!input || root.querySelector('.eak-form__suggestion')) return;
  offerSuggestions(input, { ...englishSuggestionMessages, ...page.settings().messages }.suggestDomain);
};
