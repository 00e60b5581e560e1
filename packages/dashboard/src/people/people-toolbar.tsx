import { MAX_SEARCH_LENGTH, PEOPLE_SORTS, PERSON_STATES, type PeopleSort } from 'early-access-server/admin-api';
import { nameImport } from 'early-access-server/admin-pages';
import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../format/format.ts';
import { SegmentBar } from '../segments/segment-bar.tsx';
import { type Fields, useNames, useSegments } from '../segments/use-segments.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { FilterChips } from '../ui/filter-chips.tsx';
import { MAIL_LABELS } from '../ui/mail-badge.tsx';
import { STATE_LABELS } from '../ui/state-badge.tsx';
import ui from '../ui/ui.module.css';
import styles from './people.module.css';
import {
  countFilters,
  fromSegment,
  isFiltered,
  type PeopleState,
  parseConditions,
  SORT_LABELS,
  toSegment,
  writeConditions,
} from './people-state.ts';

/** Long enough that a word typed at once is searched for once. */
const TYPING_MS = 250;
const MAIL_STATES = ['sent', 'queued', 'sending', 'failed', 'unknown', 'none'] as const;

interface PeopleToolbarProps {
  readonly state: PeopleState;
  readonly sources: readonly string[];
  readonly fields: Fields;
  readonly zone: string;
  readonly onChange: (change: Partial<PeopleState>) => void;
}

export function PeopleToolbar({ state, sources, fields, zone, onChange }: PeopleToolbarProps) {
  const segments = useSegments();
  const names = useNames(fields);
  const [isOpen, setOpen] = useState(false);
  const set = countFilters(state);
  return (
    <search className={`${ui.card} ${styles.toolbar}`} data-open={isOpen || undefined}>
      <SearchField search={state.search} onSearch={(search) => onChange({ search })} />
      <Button className={styles.more} icon aria-label="Filters" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal aria-hidden />
      </Button>
      <Choice
        className={styles.filter}
        label="State"
        value={state.state}
        options={[['', 'Any state'], ...PERSON_STATES.map((state) => [state, STATE_LABELS[state]] as const)]}
        onChoose={(state) => onChange({ state })}
      />
      <Choice
        className={styles.filter}
        label="Mail"
        value={state.mail}
        options={[['', 'Any state'], ...MAIL_STATES.map((state) => [state, MAIL_LABELS[state]] as const)]}
        onChoose={(mail) => onChange({ mail })}
      />
      <Choice
        className={styles.filter}
        label="Source"
        value={state.source}
        options={[['', 'Any source'], ...sources.map((source) => [source, source] as const)]}
        onChoose={(source) => onChange({ source })}
      />
      <DayField label="From" value={state.from} onChoose={(from) => onChange({ from })} />
      <DayField label="To" value={state.to} onChoose={(to) => onChange({ to })} />
      <Choice
        className={styles.filter}
        label="Order"
        value={state.sort}
        options={PEOPLE_SORTS.map((sort): readonly [PeopleSort, string] => [sort, SORT_LABELS[sort]])}
        onChoose={(sort) => onChange({ sort })}
      />
      {isFiltered(state) && (
        <div className={styles.summary}>
          {/* A phone shows the filters only after a press on "Filters". */}
          {set > 0 && <span>{formatCount(set, 'filter', 'filters')}</span>}
          <Button
            look="quiet"
            onClick={() =>
              onChange({ search: '', state: '', mail: '', source: '', import: '', from: '', to: '', segment: '' })
            }
          >
            Clear
          </Button>
        </div>
      )}
      {state.import && (
        <div className={styles.segments}>
          <FilterChips
            filters={[{ key: 'import', text: `came with ${nameImport(state.import, names)}` }]}
            onRemove={() => onChange({ import: '' })}
          />
        </div>
      )}
      {segments && (
        <div className={`${styles.segments} ${styles.filter}`}>
          <SegmentBar
            segments={segments}
            segment={toSegment(state, zone)}
            conditions={parseConditions(state.segment)}
            fields={fields}
            zone={zone}
            onChange={(conditions) => onChange({ segment: writeConditions(conditions) })}
            onChoose={(segment) => onChange(fromSegment(segment, zone))}
          />
        </div>
      )}
    </search>
  );
}

function SearchField({ search, onSearch }: { readonly search: string; readonly onSearch: (search: string) => void }) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  // The URL changed in another way: back, forward, or "Clear".
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      latest.current(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className={ui.field}>
      Search
      <input
        className={ui.input}
        type="search"
        placeholder="Part of an address or value"
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (day: string) => void;
}

function DayField({ label, value, onChoose }: DayFieldProps) {
  return (
    <label className={`${ui.field} ${styles.filter}`}>
      {label}
      <input className={ui.input} type="date" value={value} onChange={({ target }) => onChoose(target.value)} />
    </label>
  );
}
