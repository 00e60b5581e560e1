import type { HumanMessages } from '../core/messages.ts';

/** The English texts of human checks, which only their users load. */
export const englishHumanMessages: HumanMessages = { confirmHuman: 'Please confirm that you are human' };
