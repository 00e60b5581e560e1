import type { AdminMessages } from '../core/messages.ts';
import type { SummaryState } from './admin-state.ts';
import { formatCount } from './format.ts';

interface CounterBoxProps {
  summary: SummaryState;
  messages: AdminMessages;
  onOpen(): void;
}

/** The small box at the bottom right: both counts, and the way to the panel. */
export function CounterBox({ summary, messages, onOpen }: CounterBoxProps) {
  const { status, numbers } = summary;
  const first = status === 'loading' && numbers === null;
  const note = first ? messages.overviewLoading : status === 'unreachable' ? messages.overviewUnavailable : undefined;
  return (
    <section className={`eak-counter${first ? ' eak-counter--loading' : ''}`} aria-label={messages.overviewTitle}>
      <button type="button" className="eak-counter__button" aria-haspopup="dialog" title={note} onClick={onOpen}>
        <Count label={messages.uniqueVisitors} value={numbers?.unique_visitors} loading={first} />{' '}
        <Count label={messages.emailSignups} value={numbers?.email_signups} loading={first} />
      </button>
    </section>
  );
}

function Count({ label, value, loading }: { label: string; value: number | undefined; loading: boolean }) {
  return (
    <span className="eak-counter__item">
      <span className="eak-counter__label">{label}</span>{' '}
      <span className="eak-counter__value">{loading ? '…' : formatCount(value)}</span>
    </span>
  );
}
