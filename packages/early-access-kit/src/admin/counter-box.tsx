import { useEffect, useRef } from 'react';
import type { AdminMessages } from '../core/messages.ts';
import type { SummaryState } from './admin-state.ts';
import { useClassNames } from './class-names.ts';
import { uncoverFocus } from './focus-clear-of.ts';
import { formatCount } from './format.ts';
import { raiseToasts } from './raise-toasts.ts';

interface CounterBoxProps {
  summary: SummaryState;
  messages: AdminMessages;
  locale: string | undefined;
  onOpen(): void;
}

/** The small box at the bottom right: shows both counts and opens the panel. */
export function CounterBox({ summary, messages, locale, onOpen }: CounterBoxProps) {
  const { status, numbers } = summary;
  const cls = useClassNames();
  const first = status === 'loading' && numbers === null;
  const note = first ? messages.overviewLoading : status === 'unreachable' ? messages.overviewUnavailable : undefined;
  const box = useRef<HTMLElement>(null);
  const shown = (count: number | undefined) => (first ? '…' : formatCount(count, locale));
  useEffect(() => (box.current ? uncoverFocus(box.current) : undefined), []);
  // After every render, because figures change the box's size.
  useEffect(() => (box.current ? raiseToasts(box.current) : undefined));

  return (
    <section
      ref={box}
      className={cls(`eak-counter${first ? ' eak-counter--loading' : ''}`, 'counter')}
      aria-label={messages.overviewTitle}
    >
      <button
        type="button"
        className={cls('eak-counter__button', 'counterButton')}
        aria-haspopup="dialog"
        title={note}
        onClick={onOpen}
      >
        <Count label={messages.uniqueVisitors} value={shown(numbers?.unique_visitors)} />{' '}
        <Count label={messages.emailSignups} value={shown(numbers?.email_signups)} />
      </button>
    </section>
  );
}

function Count({ label, value }: { label: string; value: string }) {
  const cls = useClassNames();
  return (
    <span className={cls('eak-counter__item', 'counterItem')}>
      <span className={cls('eak-counter__label', 'counterLabel')}>{label}</span>{' '}
      <span className={cls('eak-counter__value', 'counterValue')}>{value}</span>
    </span>
  );
}
