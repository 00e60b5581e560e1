import type { PersonState } from 'early-access-server/admin-api';
import ui from './ui.module.css';

export const STATE_LABELS: Readonly<Record<PersonState, string>> = {
  pending: 'Not confirmed',
  subscribed: 'Waiting',
  invited: 'Invited',
  joined: 'Joined',
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
};

const LOOKS: Readonly<Record<PersonState, string | undefined>> = {
  pending: `${ui.muted} ${ui.pending}`,
  subscribed: `${ui.muted} ${ui.planned}`,
  invited: `${ui.muted} ${ui.active}`,
  joined: `${ui.muted} ${ui.done}`,
  unsubscribed: `${ui.muted} ${ui.ended}`,
  bounced: ui.bad,
};

/** The state of a person on the list. */
export function StateBadge({ state }: { readonly state: PersonState }) {
  return <span className={`${ui.badge} ${LOOKS[state]}`}>{STATE_LABELS[state]}</span>;
}
