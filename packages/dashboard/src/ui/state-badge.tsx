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
  pending: ui.warning,
  subscribed: undefined,
  invited: ui.muted,
  joined: ui.good,
  unsubscribed: ui.muted,
  bounced: ui.bad,
};

/** Where a person is on the list. */
export function StateBadge({ state }: { readonly state: PersonState }) {
  return <span className={`${ui.badge} ${LOOKS[state] ?? ''}`}>{STATE_LABELS[state]}</span>;
}
