import type { HumanMessages } from '../core/messages.ts';

/** The English texts of human checks, loaded only by forms that have one. */
export const englishHumanMessages: HumanMessages = { confirmHuman: 'Please confirm that you are human' };
