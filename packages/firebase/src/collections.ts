/** Where things are kept. The first three are written by visitors' browsers under `firestore.rules`, the others here alone. */
export const COLLECTIONS = {
  /** By the SHA-256 of the normalised address. */
  signups: 'email_signups',
  sessions: 'sessions',
  visitors: 'visitors',
  /** The outbox, by the id of the sign-up. Holds no address. */
  mails: 'mails',
  /** When the latest messages to a mailbox were attempted, by the SHA-256 of the mailbox. */
  mailboxes: 'mailboxes',
  /** How many mails an hour has had. */
  mailHours: 'mail_hours',
  /** By the SHA-256 of the id of a session that was erased: `firestore.rules` refuses to store it again. */
  erasedSessions: 'erased_sessions',
  /** Token buckets. */
  throttles: 'throttles',
} as const;
