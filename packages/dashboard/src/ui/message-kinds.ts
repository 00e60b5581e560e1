import { MESSAGE_KINDS, type MessageKind } from 'early-access-server/admin-api';

export const KIND_LABELS: Readonly<Record<MessageKind, string>> = {
  welcome: 'Welcome',
  confirmation: 'Confirmation',
  reminder: 'Reminder',
  correction: 'Corrected address',
  invite: 'Invitation',
  status: 'Link to the status page',
  campaign: 'Campaign',
  notice: 'Notice to an admin',
};

/** The singular and plural of each kind of email, for use within a sentence. */
export const KIND_NAMES: Readonly<Record<MessageKind, readonly [one: string, several: string]>> = {
  welcome: ['welcome email', 'welcome emails'],
  confirmation: ['confirmation email', 'confirmation emails'],
  reminder: ['reminder to confirm', 'reminders to confirm'],
  correction: ['email to the corrected address', 'emails to corrected addresses'],
  invite: ['invitation', 'invitations'],
  status: ['link to the status page', 'links to status pages'],
  campaign: ['campaign email', 'campaign emails'],
  notice: ['notice', 'notices'],
};

export function isKind(text: string | null): text is MessageKind {
  return MESSAGE_KINDS.some((kind) => kind === text);
}
