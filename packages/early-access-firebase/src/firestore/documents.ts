/**
 * The documents of the database and who writes them.
 *
 * Browsers write three collections, through `firestoreAdapter` and only as `firestore.rules` allow:
 *
 *   email_signups/{SHA-256 of the address}   a signup. The application adds its state (`list/enrolment.ts`)
 *   sessions/{id}                            a session, from its start to its last update (`sessions.ts`)
 *   visitors/{id}                            when a device last started a session
 *
 * The application writes everything else, and no browser may read or write it:
 *
 *   the list        email_signups/left-{…} (people who unsubscribed), person_tokens, invite_waves, list_progress, keys
 *   the mail queue  mails, mail_hours, mail_pause, mailboxes, campaigns
 *   webhooks        webhooks, webhook_deliveries
 *   analytics       analytics, analytics_parts: the archive that the roll-up packs from sessions and signups
 *   admins          admin_sign_in_requests, admin_sign_in_tokens, admin_sessions, admin_settings, admin_audit, api_keys
 *   protection      throttles, human_tokens, erased_sessions
 */
export const COLLECTIONS = {
  /** Written by browsers and the application, by the SHA-256 of the normalized address. */
  signups: 'email_signups',
  /** Written by browsers; read by the roll-up, and deleted by a TTL policy. */
  sessions: 'sessions',
  /** Written by browsers; deleted by a TTL policy. */
  visitors: 'visitors',
  /** The mail queue. Messages to people contain no address. See `mail/message-document.ts` for the ids. */
  mails: 'mails',
  /** Links in emails. The id is the SHA-256 of the token. */
  personTokens: 'person_tokens',
  /** The id is the wave's number. */
  inviteWaves: 'invite_waves',
  webhooks: 'webhooks',
  /** One event for one endpoint. Contains no address. */
  webhookDeliveries: 'webhook_deliveries',
  campaigns: 'campaigns',
  /** The last signup that the sweep has checked for a missing state. */
  listProgress: 'list_progress',
  /** When the messages of the last 24 hours to a mailbox were attempted, by the SHA-256 of the mailbox. Erasing a person does not delete it before. */
  mailboxes: 'mailboxes',
  /** Delivery attempts of an hour. */
  mailHours: 'mail_hours',
  /** The pause of the mail queue; one document at most. */
  mailPause: 'mail_pause',
  /** `firestore.rules` denies storing an erased session again. The id is the SHA-256 of the session's id. */
  erasedSessions: 'erased_sessions',
  /** The use of a human check's token. The id is the SHA-256 of the token. */
  humanTokens: 'human_tokens',
  /** The archive that the dashboard's figures are computed from: its state and the tallies here, its rows in `analytics_parts`. */
  analytics: 'analytics',
  analyticsParts: 'analytics_parts',
  /** The key of the cursors of lists. */
  keys: 'keys',
  /** Token buckets of the rate limits. */
  throttles: 'throttles',
  /** Who asked for a sign-in link, until the trigger has read it. */
  adminSignInRequests: 'admin_sign_in_requests',
  /** The id is the SHA-256 of the sign-in link's token. */
  adminSignInTokens: 'admin_sign_in_tokens',
  /** The id is the SHA-256 of the cookie's token. */
  adminSessions: 'admin_sessions',
  /** The id is the SHA-256 of the key. */
  apiKeys: 'api_keys',
  adminAudit: 'admin_audit',
  /** The id is the SHA-256 of the admin's address. */
  adminSettings: 'admin_settings',
} as const;
