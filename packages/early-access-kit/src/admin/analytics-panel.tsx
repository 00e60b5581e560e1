import { useState } from 'react';
import type { AdminMessages } from '../core/messages.ts';
import type { AnalyticsSummary } from '../core/records.ts';
import { areOwnVisitsIgnored, ignoreOwnVisits } from '../own-visits.ts';
import { AdminDialog } from './admin-dialog.tsx';
import type { SummaryState } from './admin-state.ts';
import { useClassNames } from './class-names.ts';
import { formatCount, formatDuration, formatPercent } from './format.ts';

interface AnalyticsPanelProps {
  summary: SummaryState;
  messages: AdminMessages;
  locale: string | undefined;
  /** Undefined or false: no link. */
  dashboardUrl: string | false | undefined;
  onClose(): void;
  onRetry(): void;
  onLogOut(): void;
}

/** "Analytics Overview": the two counts, the session figures, the notice about own visits, and the buttons. */
export function AnalyticsPanel({
  summary,
  messages,
  locale,
  dashboardUrl,
  onClose,
  onRetry,
  onLogOut,
}: AnalyticsPanelProps) {
  const { status, numbers } = summary;
  const cls = useClassNames();
  return (
    <AdminDialog className="eak-overview" title={messages.overviewTitle} closeLabel={messages.close} onClose={onClose}>
      <dl className={cls('eak-overview__figures', 'figures')} aria-busy={status === 'loading'}>
        <Figure
          main
          label={messages.uniqueVisitors}
          period={messages.lastThirtyDays}
          value={formatCount(numbers?.unique_visitors, locale)}
        />
        <Figure
          main
          label={messages.emailSignups}
          period={messages.allTime}
          value={formatCount(numbers?.email_signups, locale)}
        />
        <Figure
          label={messages.bounceRate}
          period={messages.lastThirtyDays}
          value={formatPercent(numbers?.bounce_rate, locale)}
        />
        <Figure
          label={messages.averageDuration}
          period={messages.lastThirtyDays}
          value={formatDuration(numbers?.average_duration, locale)}
        />
      </dl>
      <OwnVisits label={messages.ignoreOwnVisits} />
      <div className={cls('eak-overview__end', 'overviewEnd')}>
        <p className={cls('eak-overview__note', 'overviewNote')} role="status">
          {note(summary, messages)}
        </p>
        <div className={cls('eak-overview__buttons', 'overviewButtons')}>
          {status === 'unreachable' && (
            <button
              type="button"
              className={cls('eak-overview__button', 'overviewButton')}
              onClick={({ currentTarget }) => {
                // The button is about to be removed, which would lose the focus.
                currentTarget.closest('dialog')?.querySelector('h2')?.focus();
                onRetry();
              }}
            >
              {messages.retry}
            </button>
          )}
          {dashboardUrl && (
            <a className={cls('eak-overview__button eak-overview__button--main', 'overviewButton')} href={dashboardUrl}>
              {messages.openDashboard}
            </a>
          )}
          <button type="button" className={cls('eak-overview__button', 'overviewButton')} onClick={onLogOut}>
            {messages.logout}
          </button>
        </div>
      </div>
    </AdminDialog>
  );
}

/** Shows that this browser's visits are not counted, and lets the admin turn that off. */
function OwnVisits({ label }: { label: string }) {
  const cls = useClassNames();
  const [ignored, setIgnored] = useState(() => areOwnVisitsIgnored() === true);
  return (
    <label className={cls('eak-overview__own', 'ownVisits')}>
      <input
        type="checkbox"
        className={cls('eak-overview__check', 'ownVisitsBox')}
        checked={ignored}
        onChange={({ currentTarget }) => {
          ignoreOwnVisits(currentTarget.checked);
          setIgnored(currentTarget.checked);
        }}
      />
      {label}
    </label>
  );
}

interface FigureProps {
  main?: boolean;
  label: string;
  period: string;
  value: string;
}

function Figure({ main = false, label, period, value }: FigureProps) {
  const cls = useClassNames();
  return (
    <div className={cls(`eak-figure${main ? ' eak-figure--main' : ''}`, 'figure')}>
      <dt className={cls('eak-figure__label', 'figureLabel')}>{label}</dt>
      <dd className={cls('eak-figure__value', 'figureValue')}>{value}</dd>
      <dd className={cls('eak-figure__period', 'figurePeriod')}>{period}</dd>
    </div>
  );
}

function note({ status, numbers }: SummaryState, messages: AdminMessages): string {
  if (status === 'unreachable') return messages.overviewUnavailable;
  if (numbers === null) return messages.overviewLoading;
  return isEmpty(numbers) ? messages.overviewEmpty : '';
}

function isEmpty({ unique_visitors, email_signups }: AnalyticsSummary): boolean {
  return unique_visitors === 0 && email_signups === 0;
}
