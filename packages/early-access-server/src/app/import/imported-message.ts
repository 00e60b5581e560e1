import { REMINDER_AFTER_MS } from '../lifecycle/states.ts';
import { chooseFirstMessage, type MessageKind } from '../mail/message-kinds.ts';
import type { MailState } from '../mail/message-state.ts';
import type { ImportedPerson } from '../ports/list-store.ts';

/**
 * The message that is stored with an imported person, or null. With `welcome`, their first email is queued. An email
 * that they got before the export is stored with its outcome, so that it is not sent again. For old pending signups
 * that email is the reminder.
 */
export function chooseImportedMessage(
  { state, created_at, mail_state = null }: ImportedPerson,
  { welcome, now }: { readonly welcome: boolean; readonly now: number },
): { readonly kind: MessageKind; readonly state: MailState; readonly at: number } | null {
  if (mail_state === null || mail_state === 'queued') {
    const kind = welcome ? chooseFirstMessage(state) : null;
    return kind && { kind, state: 'queued', at: now };
  }
  const ofPending = created_at <= now - REMINDER_AFTER_MS ? 'reminder' : 'confirmation';
  return {
    kind: state === 'pending' ? ofPending : 'welcome',
    // The outcome of a delivery that was in progress during the export is unknown.
    state: mail_state === 'sending' ? 'unknown' : mail_state,
    at: created_at,
  };
}
