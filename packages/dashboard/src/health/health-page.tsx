import type { HealthResponse } from 'early-access-server/admin-api';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useRead } from '../api/use-read.ts';
import { formatBytes, formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import type { PageProps } from '../shell/pages.ts';
import { Card, Facts, PageHead } from '../ui/card.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { AuditLog } from './audit-log.tsx';
import styles from './health.module.css';
import { limitName } from './limit-names.ts';

const STORES = { sqlite: 'SQLite', firestore: 'Firestore', postgres: 'Postgres', other: 'Other' } as const;

export function HealthPage({ zone }: PageProps) {
  const query = useRead<HealthResponse>(['health'], '/health');
  return (
    <>
      <PageHead title="Health" subtitle="The server, what needs attention, and who did what" />
      <div className={ui.stack}>
        <QueryState query={query} bones={[8, 16]} zone={zone}>
          {(health) => (
            <>
              <Issues issues={health.issues} />
              <div className={styles.grid}>
                <Server health={health} zone={zone} />
                <Limits limits={{ ...health.limits_hit, ...health.signups_refused }} />
              </div>
            </>
          )}
        </QueryState>
        <AuditLog zone={zone} />
      </div>
    </>
  );
}

function Issues({ issues }: Pick<HealthResponse, 'issues'>) {
  return (
    <Card title={issues.length === 0 ? 'Nothing to fix' : formatCount(issues.length, 'thing to fix', 'things to fix')}>
      {issues.length === 0 ? (
        <p className={`${styles.issue} ${ui.text}`}>
          <CircleCheck className={ui.good} aria-hidden />
          All checks passed.
        </p>
      ) : (
        <ul className={styles.issues}>
          {issues.map(({ severity, message }) => (
            <li key={message} className={styles.issue}>
              {severity === 'error' ? (
                <CircleX className={ui.bad} aria-label="Error" />
              ) : (
                <TriangleAlert className={ui.warning} aria-label="Warning" />
              )}
              <p>{message}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Server({ health, zone }: { readonly health: HealthResponse; readonly zone: string }) {
  const { version, store, database_bytes, disk_free_bytes, last_backup_at, retention_days } = health;
  return (
    <Card title="Server">
      <Facts
        facts={[
          ['Version', version],
          ['Store', STORES[store]],
          ['Database', database_bytes !== null && formatBytes(database_bytes)],
          ['Free disk space', disk_free_bytes !== null && formatBytes(disk_free_bytes)],
          ['Last backup', last_backup_at === null ? 'None' : formatDateTime(last_backup_at, zone)],
          ['Session retention', retention_days === null ? 'Forever' : `${formatNumber(retention_days)} days`],
        ]}
      />
    </Card>
  );
}

function Limits({ limits }: { readonly limits: HealthResponse['limits_hit'] }) {
  const hit = Object.entries(limits).filter(([, count]) => count > 0);
  return (
    <Card title="Refused requests">
      {hit.length === 0 ? (
        <p className={ui.text}>No requests refused since the server started.</p>
      ) : (
        <div className={ui.stack}>
          <p className={`${ui.text} ${ui.muted}`}>Requests refused since the server started:</p>
          <Facts facts={hit.map(([limit, count]) => [limitName(limit), formatNumber(count)])} />
        </div>
      )}
    </Card>
  );
}
