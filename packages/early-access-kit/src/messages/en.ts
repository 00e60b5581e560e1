import { englishAdminMessages } from '../admin/messages.ts';
import { englishSignupMessages, type Messages } from '../core/messages.ts';

/** English: the defaults of the widgets, all in one object, to begin a translation with. */
export const en: Messages = { ...englishSignupMessages, ...englishAdminMessages };
