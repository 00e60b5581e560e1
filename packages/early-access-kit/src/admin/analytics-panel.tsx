import type { AdminMessages } from '../core/messages.ts';
import type { AnalyticsSummary } from '../core/records.ts';
import { AdminDialog } from './admin-dialog.tsx';
import type { SummaryState } from './admin-state.ts';
import { formatCount, formatDuration, formatPercent } from './format.ts';

interface AnalyticsPanelProps {
  summary: SummaryState;
  messages: AdminMessages;
  onClose(): void;
  onRetry(): void;
  onLogOut(): void;
}

/** "Analytics Overview": the two counts, how visits went, and the way out. */
export function AnalyticsPanel({ summary, messages, onClose, onRetry, onLogOut }: AnalyticsPanelProps) {
  const { status, numbers } = summary;
  return (
    <AdminDialog className="eak-overview" title={messages.overviewTitle} closeLabel={messages.close} onClose={onClose}>
      <dl className="eak-overview__figures" aria-busy={status === 'loading'}>
        <Figure
          main
          label={messages.uniqueVisitors}
          period={messages.lastThirtyDays}
          value={formatCount(numbers?.unique_visitors)}
        />
        <Figure
          main
          label={messages.emailSignups}
          period={messages.allTime}
          value={formatCount(numbers?.email_signups)}
        />
        <Figure
          label={messages.bounceRate}
          period={messages.lastThirtyDays}
          value={formatPercent(numbers?.bounce_rate)}
        />
        <Figure
          label={messages.averageDuration}
          period={messages.lastThirtyDays}
          value={formatDuration(numbers?.average_duration)}
        />
      </dl>
      <footer className="eak-overview__end">
        <p className="eak-overview__note" role="status">
          {note(summary, messages)}
        </p>
        <div className="eak-overview__buttons">
          {status === 'unreachable' && (
            <button type="button" onClick={onRetry}>
              {messages.retry}
            </button>
          )}
          <button type="button" onClick={onLogOut}>
            {messages.logout}
          </button>
        </div>
      </footer>
    </AdminDialog>
  );
}

interface FigureProps {
  main?: boolean;
  label: string;
  period: string;
  value: string;
}

function Figure({ main = false, label, period, value }: FigureProps) {
  return (
    <div className={`eak-figure${main ? ' eak-figure--main' : ''}`}>
      <dt className="eak-figure__label">{label}</dt>
      <dd className="eak-figure__value">{value}</dd>
      <dd className="eak-figure__period">{period}</dd>
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
