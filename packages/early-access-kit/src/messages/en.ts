import { englishAdminMessages } from '../admin/messages.ts';
import { englishSignupMessages, type Messages } from '../core/messages.ts';
import { englishFieldMessages, englishMoreFieldMessages } from '../fields/field-messages.ts';
import { englishHumanMessages } from '../human/human-messages.ts';
import { englishSuggestionMessages } from '../suggest/suggestion-messages.ts';

/** English: all default texts in one object, as a starting point for a translation. */
export const en: Messages = {
  ...englishSignupMessages,
  ...englishAdminMessages,
  ...englishFieldMessages,
  ...englishMoreFieldMessages,
  ...englishHumanMessages,
  ...englishSuggestionMessages,
};
