import type { InboxMessages } from '../core/messages.ts';

/** The English texts of `CheckInbox`, which only its users load. */
export const englishInboxMessages: InboxMessages = {
  checkInboxTitle: 'Check your inbox',
  checkInboxText: 'Open the link that we sent you, and you are on the list.',
  openInbox: 'Open your inbox',
};
