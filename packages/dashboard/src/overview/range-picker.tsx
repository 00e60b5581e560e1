import { COMPARISONS, type Comparison, RANGES, type Range } from 'early-access-server/admin-api';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import ui from '../ui/ui.module.css';
import styles from './overview.module.css';
import type { OverviewState } from './overview-state.ts';

const NAMES: Readonly<Record<Range, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  year: 'This year',
  all: 'All time',
  custom: 'Custom…',
};

const COMPARISON_NAMES: Readonly<Record<Comparison, string>> = {
  period: 'Previous period',
  year: 'Previous year',
};

interface RangePickerProps {
  readonly state: OverviewState;
  /** First and last shown day, the defaults of a custom range. */
  readonly shown: { readonly from: string; readonly to: string };
  readonly onChange: (state: OverviewState) => void;
}

export function RangePicker({ state, shown, onChange }: RangePickerProps) {
  const [isCustom, setCustom] = useState(state.range === 'custom');
  const chosen = isCustom ? 'custom' : state.range;
  return (
    <div className={`${ui.stack} ${styles.head}`}>
      <div className={styles.periods}>
        <Choice
          label="Period"
          value={chosen}
          options={RANGES.map((range) => [range, NAMES[range]] as const)}
          onChoose={(range) => {
            setCustom(range === 'custom');
            if (range !== 'custom') onChange({ ...state, range, from: '', to: '' });
          }}
        />
        <Choice
          label="Compared with"
          value={state.compare}
          disabled={chosen === 'all'}
          options={COMPARISONS.map((comparison) => [comparison, COMPARISON_NAMES[comparison]] as const)}
          onChoose={(compare) => onChange({ ...state, compare })}
        />
      </div>
      {isCustom && (
        <CustomRange
          from={state.from || shown.from}
          to={state.to || shown.to}
          onChoose={(from, to) => onChange({ ...state, range: 'custom', from, to })}
        />
      )}
    </div>
  );
}

interface CustomRangeProps {
  readonly from: string;
  readonly to: string;
  readonly onChoose: (from: string, to: string) => void;
}

function CustomRange({ from, to, onChoose }: CustomRangeProps) {
  return (
    <form
      className={styles.custom}
      onSubmit={(event) => {
        event.preventDefault();
        const days = new FormData(event.currentTarget);
        const [first = '', last = ''] = [String(days.get('from')), String(days.get('to'))].sort();
        onChoose(first, last);
      }}
    >
      <label className={ui.field}>
        From
        <input className={ui.input} type="date" name="from" defaultValue={from} required />
      </label>
      <label className={ui.field}>
        To
        <input className={ui.input} type="date" name="to" defaultValue={to} required />
      </label>
      <Button type="submit" look="primary">
        Show
      </Button>
    </form>
  );
}
