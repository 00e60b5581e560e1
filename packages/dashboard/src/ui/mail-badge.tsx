import type { MailState } from 'early-access-server/admin-api';
import ui from './ui.module.css';

export const MAIL_LABELS: Readonly<Record<MailState | 'none', string>> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  none: 'No email',
};

const LOOKS: Readonly<Record<MailState | 'none', string | undefined>> = {
  queued: `${ui.muted} ${ui.planned}`,
  sending: `${ui.muted} ${ui.active}`,
  sent: `${ui.muted} ${ui.done}`,
  failed: ui.bad,
  unknown: ui.warning,
  none: `${ui.muted} ${ui.ended}`,
};

export function MailBadge({ state }: { readonly state: MailState | 'none' }) {
  return <span className={`${ui.badge} ${LOOKS[state]}`}>{MAIL_LABELS[state]}</span>;
}
