import type { AuditAction, AuditEntry } from 'early-access-server/admin-api';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatDateTime } from '../format/format.ts';
import { Card } from '../ui/card.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { QueryState } from '../ui/states.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './health.module.css';

/** The maximum number of entries that the server returns. */
const SHOWN = 200;

const TEXTS: Readonly<Record<AuditAction, (count: number, entry: AuditEntry) => string>> = {
  'sign-in': () => 'Signed in',
  'sign-out': () => 'Signed out',
  'revoke-session': (count) => `Revoked ${formatCount(count, 'session', 'sessions')}`,
  export: (count, { api_key, filter }) =>
    `Downloaded ${formatCount(count, 'person', 'people')} as CSV${api_key === undefined ? '' : ` with the API key ${api_key}`}${inBrackets(filter)}`,
  forget: (count) => `Erased ${formatCount(count, 'person', 'people')}`,
  resend: (count) => `Queued ${formatCount(count, 'email', 'emails')} again`,
  restore: (count) => `Restored ${formatCount(count, 'person', 'people')} whose address had bounced`,
  unsubscribe: (count) => `Unsubscribed ${formatCount(count, 'person', 'people')}`,
  label: (count) => `Changed the labels of ${formatCount(count, 'person', 'people')}`,
  'bulk-started': (count, { filter }) =>
    `Started an action on ${formatCount(count, 'person', 'people')}${inBrackets(filter)}`,
  'bulk-paused': (count) => `Paused an action after ${formatCount(count, 'person', 'people')}`,
  'bulk-resumed': (count) => `Resumed an action after ${formatCount(count, 'person', 'people')}`,
  'bulk-cancelled': (count) => `Canceled an action after ${formatCount(count, 'person', 'people')}`,
  correct: () => 'Requested an address change',
  add: () => 'Added a person',
  import: (count) => `Imported ${formatCount(count, 'person', 'people')}`,
  'import-withdrawn': (count) => `Undid an import of ${formatCount(count, 'person', 'people')}`,
  'ignore-consent': (count) =>
    `Imported ${formatCount(count, 'person', 'people')} as subscribed, ignoring a consent value`,
  invite: (count) => `Invited ${formatCount(count, 'person', 'people')}`,
  withdraw: (count) => `Withdrew ${formatCount(count, 'invitation', 'invitations')}`,
  'count-credit': (count) => `Approved ${formatCount(count, 'referral', 'referrals')}`,
  'hold-credit': (count) => `Undid the rejection of ${formatCount(count, 'referral', 'referrals')}`,
  'reject-credit': (count) => `Rejected ${formatCount(count, 'referral', 'referrals')}`,
  'campaign-scheduled': () => 'Scheduled a campaign',
  'campaign-draft': () => 'Unscheduled a campaign',
  'campaign-sending': (count) => `Started or resumed a campaign to ${formatCount(count, 'person', 'people')}`,
  'campaign-paused': (count) => `Paused a campaign to ${formatCount(count, 'person', 'people')}`,
  'campaign-cancelled': (count) => `Canceled a campaign to ${formatCount(count, 'person', 'people')}`,
  'add-segment': () => 'Saved a segment',
  'rename-segment': () => 'Renamed a segment',
  'remove-segment': () => 'Deleted a segment',
  'open-list': () => 'Opened the list',
  'pause-list': () => 'Paused the list',
  'close-list': () => 'Closed the list',
  'change-list': () => 'Changed the list’s closing settings',
  'export-requests': (count) => `Downloaded ${formatCount(count, 'person', 'people')} waiting for the list to open`,
  'erase-request': (count) => `Erased ${formatCount(count, 'person', 'people')} waiting for the list to open`,
  'series-sending': (count) => `Turned on ${formatCount(count, 'email', 'emails')} of the series`,
  'series-paused': (count) => `Paused ${formatCount(count, 'email', 'emails')} of the series`,
  'unknown-mail-sent': () => 'Marked an email with an unknown outcome as sent',
  'unknown-mail-again': () => 'Resent an email with an unknown outcome',
  'resume-mail': () => 'Retried the paused mail queue',
  'test-mail': () => 'Sent a test email',
  settings: () => 'Changed the settings',
  'add-webhook': () => 'Added a webhook',
  'change-webhook': () => 'Changed a webhook',
  'remove-webhook': () => 'Removed a webhook',
  'test-webhook': () => 'Sent a test event',
  'resend-webhook': () => 'Resent an event',
  'add-api-key': (_, { api_key }) => `Created the API key ${api_key}`,
  'revoke-api-key': (_, { api_key }) => `Revoked the API key ${api_key}`,
  'add-overview-link': (_, { api_key }) => `Created the overview link ${api_key}`,
  'revoke-overview-link': (_, { api_key }) => `Revoked the overview link ${api_key}`,
  'overview-link-used': (_, { api_key }) => `The overview link ${api_key} was opened or refreshed`,
  'add-passkey': () => 'Added a passkey',
  'rename-passkey': () => 'Renamed a passkey',
  'remove-passkey': () => 'Removed a passkey',
  'sign-out-everywhere': (count) => `Signed out everywhere: ${formatCount(count, 'browser', 'browsers')}`,
  'invite-member': (_, { member }) => `Invited ${member} to the dashboard`,
  'change-member': (_, { member }) => `Changed the role of ${member}`,
  'remove-member': (_, { member }) => `Removed ${member} from the dashboard`,
  'api-key-used': (_, { api_key, route }) => `API key ${api_key}: ${route}`,
  'api-key-refused': (_, { api_key, route }) => `API key ${api_key} was refused: ${route}`,
};

function inBrackets(filter: string | undefined): string {
  return filter === undefined ? '' : ` (${filter})`;
}

/** The actions of admins and API keys. Contains no address of a person on the list. */
export function AuditLog({ zone }: { readonly zone: string }) {
  const query = useRead<{ entries: readonly AuditEntry[] }>(['audit'], '/audit', { staleTime: 0 });
  return (
    <Card title="Audit log">
      <QueryState query={query} bones={[12]} zone={zone}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className={ui.text}>No actions yet. What admins and API keys do is listed here.</p>
          ) : (
            <ScrollRegion label="Actions of admins" className={styles.audit}>
              <table className={`${ui.table} ${ui.cards}`}>
                <TableHead columns={['Action', 'Time']} />
                <tbody>
                  {entries.map((entry, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal, and none changes
                    <tr key={index}>
                      <th scope="row">
                        {TEXTS[entry.action](entry.count, entry)}
                        {entry.admin !== undefined && (
                          <span className={`${ui.hint} ${styles.admin}`}>{entry.admin}</span>
                        )}
                      </th>
                      <td className={styles.time}>{formatDateTime(entry.at, zone)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {entries.length === SHOWN && <p className={`${ui.text} ${ui.hint}`}>{`The newest ${SHOWN} entries`}</p>}
            </ScrollRegion>
          )
        }
      </QueryState>
    </Card>
  );
}
