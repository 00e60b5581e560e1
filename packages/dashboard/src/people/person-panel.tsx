import type { PersonRecord, ShownField } from 'early-access-server/admin-api';
import { type ComponentProps, useState } from 'react';
import { ApiError } from '../api/admin-api.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime, formatDuration, formatNumber, upperFirst } from '../format/format.ts';
import { valueName } from '../overview/dimensions.ts';
import { useMay } from '../shell/role.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MailBadge } from '../ui/mail-badge.tsx';
import { type Action, Menu } from '../ui/menu.tsx';
import { KIND_LABELS, KIND_NAMES } from '../ui/message-kinds.ts';
import { StateBadge } from '../ui/state-badge.tsx';
import { Empty, QueryState, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { CorrectDialog } from './correct-dialog.tsx';
import { ForgetDialog } from './forget-dialog.tsx';
import styles from './people.module.css';
import { personFields } from './person-fields.ts';
import { PersonLabels } from './person-labels.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { ShareLinkFacts } from './share-link-facts.tsx';
import { Timeline } from './timeline.tsx';
import { UnsubscribeDialog } from './unsubscribe-dialog.tsx';

interface PersonPanelProps {
  readonly id: string;
  /** The address from the list, if loaded. It is announced when the panel opens, before the record is loaded. */
  readonly email: string | undefined;
  readonly zone: string;
  readonly fields: readonly ShownField[];
  readonly onClose: () => void;
}

/** The record of one person, beside the list. */
export function PersonPanel({ id, email, zone, fields, onClose }: PersonPanelProps) {
  const query = useRead<PersonRecord>(['people', 'record', id], `/people/${encodeURIComponent(id)}`);
  const isGone = query.error instanceof ApiError && query.error.kind === 'not-found';
  return (
    <Dialog
      side
      title={isGone ? 'Not on the list' : <Breakable>{query.data?.email ?? email ?? 'Person'}</Breakable>}
      open
      onClose={onClose}
    >
      {isGone ? (
        <Empty title="This person is no longer on the list">
          <StateText>They were erased by another admin or from the command line.</StateText>
        </Empty>
      ) : (
        <QueryState query={query} bones={[10, 10, 6]} zone={zone}>
          {(person) => <PersonDetails person={person} zone={zone} fields={fields} onClose={onClose} />}
        </QueryState>
      )}
    </Dialog>
  );
}

const TIMES = [
  ['Confirmed', 'confirmed_at'],
  ['Invited', 'invited_at'],
  ['Joined', 'joined_at'],
  ['Unsubscribed', 'unsubscribed_at'],
  ['Bounced', 'bounced_at'],
] as const;

const breakable = (text: string | null | undefined) => text && <Breakable>{text}</Breakable>;

interface PersonDetailsProps {
  readonly person: PersonRecord;
  readonly zone: string;
  readonly fields: readonly ShownField[];
  readonly onClose: () => void;
}

function PersonDetails({ person, zone, fields, onClose }: PersonDetailsProps) {
  const may = useMay();
  const [asked, setAsked] = useState<'forget' | 'resend' | 'restore' | 'correct' | 'unsubscribe' | null>(null);
  const close = () => setAsked(null);
  const { mail, session } = person;
  const hasLabels = may('people:write') || (person.labels ?? []).length > 0;
  const isOnList = person.state !== 'unsubscribed' && may('people:write');
  const canResend = may() && person.resends !== null && mail?.state !== 'queued' && mail?.state !== 'sending';
  const actions: readonly (Action | false)[] = [
    may() && person.state === 'bounced' && { text: 'Restore…', act: () => setAsked('restore') },
    canResend && {
      text: mail === null ? 'Send email…' : 'Send email again…',
      act: () => setAsked('resend'),
    },
    isOnList && { text: 'Correct address…', act: () => setAsked('correct') },
    { text: 'Print', act: () => window.print() },
    isOnList && { text: 'Unsubscribe…', look: 'danger', act: () => setAsked('unsubscribe') },
    may() && { text: 'Erase this person…', look: 'danger', act: () => setAsked('forget') },
  ];
  return (
    <>
      <ActionBar actions={actions.filter((action) => action !== false)} />
      <div className={styles.record}>
        <Facts
          facts={[
            ['State', <StateBadge key="state" state={person.state} />],
            ['New address', breakable(person.new_email && `${person.new_email}, not confirmed yet`)],
            ['Signed up', formatDateTime(person.created_at, zone)],
            ['Source', person.source],
            ['Page', breakable(person.page_url)],
            ['Referrer', breakable(person.referrer)],
            ['UTM source', person.utm_source],
            ['UTM medium', person.utm_medium],
            ['UTM campaign', person.utm_campaign],
            ['UTM term', person.utm_term],
            ['UTM content', person.utm_content],
            ['Labels', hasLabels && <PersonLabels key="labels" person={person} />],
          ]}
        />
        <Section
          title="Consent"
          facts={[
            ['Agreed to', person.consent_text],
            ['Shown on', breakable(person.consent_page)],
            ...TIMES.map(([label, column]) => {
              const time = person[column];
              return [label, time !== null && formatDateTime(time, zone)] as const;
            }),
            ['Confirmed by', person.confirmed_by && upperFirst(KIND_NAMES[person.confirmed_by][0])],
          ]}
        />
        <Section
          title="Entered in the form"
          facts={personFields(person, fields).map(({ label, value }) => [
            label,
            <bdi key="value" dir="auto">
              {value}
            </bdi>,
          ])}
        />
        <ShareLinkFacts person={person} />
        {mail && (
          <Section
            title="Last email"
            facts={[
              ['Kind', KIND_LABELS[mail.kind]],
              ['State', <MailBadge key="state" state={mail.state} />],
              ['Since', formatDateTime(mail.changed_at, zone)],
              ['Attempts', formatNumber(mail.attempts)],
              ['Next attempt', mail.state === 'queued' && formatDateTime(mail.next_attempt_at, zone)],
              ['Reason', mail.reason],
            ]}
          />
        )}
        {mail?.state === 'unknown' && (
          <p className={`${ui.text} ${ui.muted}`}>
            The server stopped while sending, so the email may have arrived. If you send it again, it may arrive twice.
          </p>
        )}
        {session && (
          <Section
            title="Signup session"
            facts={[
              ['Started', formatDateTime(session.session_start, zone)],
              ['Device', `${session.browser} on ${session.os}, ${session.device_type}`],
              ['Country', session.country && valueName('country', session.country)],
              ['Referrer', breakable(session.referrer)],
              [
                'Sessions',
                session.is_returning_visitor ? `${formatNumber(session.total_sessions)}, returning` : 'First',
              ],
              ['Pages', formatNumber(session.page_count)],
              ['Visible for', formatDuration(session.total_duration)],
              ['Seen', `${session.max_scroll_depth}% of the page`],
              ['Clicks', formatNumber(session.click_count)],
            ]}
          />
        )}
        <h3 className={styles.heading}>Timeline</h3>
        <Timeline entries={person.timeline} fields={fields} zone={zone} />
      </div>
      {asked === 'resend' && <ResendDialog people={[person]} onClose={close} onDone={() => {}} />}
      {asked === 'restore' && <RestoreDialog who={{ ids: [person.id] }} count={1} onClose={close} onDone={() => {}} />}
      {asked === 'correct' && <CorrectDialog person={person} onClose={close} />}
      {asked === 'unsubscribe' && <UnsubscribeDialog person={person} onClose={close} />}
      {asked === 'forget' && (
        <ForgetDialog ids={[person.id]} phrase={person.email} onClose={close} onForgotten={onClose} />
      )}
    </>
  );
}

/** Renders nothing if no fact is known. */
function Section({ title, facts }: { readonly title: string } & ComponentProps<typeof Facts>) {
  if (!facts.some(([, value]) => value)) return null;
  return (
    <>
      <h3 className={styles.heading}>{title}</h3>
      <Facts facts={facts} />
    </>
  );
}

/** Shows the first two actions as buttons and the others in a menu. */
function ActionBar({ actions }: { readonly actions: readonly Action[] }) {
  const others = actions.slice(2);
  return (
    <div className={`${ui.row} ${styles.personActions}`}>
      {actions.slice(0, 2).map(({ text, look, act }) => (
        <Button key={text} {...(look && { look })} onClick={act}>
          {text}
        </Button>
      ))}
      {others.length > 0 && <Menu label="More actions" actions={others} />}
    </div>
  );
}
