import type { Cause, TimelineEntry } from 'early-access-server/admin-api';
import { subjectText } from '../campaigns/subject-text.ts';
import { formatDateTime } from '../format/format.ts';
import type { Fields } from '../segments/use-segments.ts';
import { MailBadge } from '../ui/mail-badge.tsx';
import { isKind, KIND_LABELS, KIND_NAMES } from '../ui/message-kinds.ts';
import ui from '../ui/ui.module.css';
import styles from './timeline.module.css';

interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  readonly fields: Fields;
  readonly zone: string;
}

/** Everything that happened to a person, oldest first. */
export function Timeline({ entries, fields, zone }: TimelineProps) {
  return (
    <ol className={styles.timeline}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal, and none moves
        <li key={index}>
          <time className={ui.muted} dateTime={new Date(entry.at).toISOString()}>
            {formatDateTime(entry.at, zone)}
          </time>
          {entry.email === null ? <span>{describeEvent(entry)}</span> : <Email email={entry.email} fields={fields} />}
        </li>
      ))}
    </ol>
  );
}

interface EmailProps extends Pick<TimelineProps, 'fields'> {
  readonly email: NonNullable<TimelineEntry['email']>;
}

function Email({ email: { kind, state, reason, subject }, fields }: EmailProps) {
  return (
    <span>
      Email: {subject === null ? KIND_LABELS[kind] : `“${subjectText(subject, fields)}”`} <MailBadge state={state} />
      {reason !== null && <span className={`${styles.reason} ${ui.muted}`}>{reason}</span>}
    </span>
  );
}

/** Describes an event and who or what caused it. */
export function describeEvent({ event, by }: Pick<TimelineEntry, 'event' | 'by'>): string {
  const link = isKind(by) ? ` with the link in the ${KIND_NAMES[by][0]}` : '';
  switch (event) {
    case 'signup':
      return 'Signed up';
    case 'add':
      return by === 'import' ? 'Imported from a file' : 'Added by an admin';
    case 'confirm':
      return `Confirmed the address${link}`;
    case 'invite':
      return 'Invited';
    case 'withdraw':
      return 'Invitation withdrawn';
    case 'redeem':
      return `Joined${link}`;
    case 'unsubscribe':
      return `Unsubscribed${link || (by === null ? '' : (UNSUBSCRIBED_BY[by] ?? ''))}`;
    case 'bounce':
      return 'The address bounced';
    case 'retry':
      return by === 'admin' ? 'Restored by an admin after the bounce' : 'Restored after the bounce';
    case 'ask-correction':
      return `${by === 'person' ? 'They' : 'An admin'} requested an address change`;
    case 'correct':
      return `Address corrected${link}`;
    case 'email':
      return 'Email';
  }
}

const UNSUBSCRIBED_BY: Readonly<Partial<Record<Cause, string>>> = {
  admin: ' by an admin',
  person: ' on their status page',
  import: ' by an imported file',
  'mail-server': ', because the mail provider reported a complaint',
  time: ' again, because the new signup was not confirmed in time',
};
