import { MAX_SEARCH_LENGTH, PEOPLE_SORTS, PERSON_STATES, type PeopleSort } from 'early-access-server/admin-api';
import { SlidersHorizontal } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { SegmentBar } from '../segments/segment-bar.tsx';
import { type Fields, useNames, useSegments } from '../segments/use-segments.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { FilterChips } from '../ui/filter-chips.tsx';
import { MAIL_LABELS } from '../ui/mail-badge.tsx';
import { STATE_LABELS } from '../ui/state-badge.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { useDismiss } from '../ui/use-dismiss.ts';
import styles from './people.module.css';
import {
  describeFilters,
  fromSegment,
  isFiltered,
  type PeopleState,
  parseConditions,
  SORT_LABELS,
  toSegment,
  withoutFilter,
  writeConditions,
} from './people-state.ts';

/** Long enough that a word typed without a pause causes one search. */
const TYPING_MS = 250;
const MAIL_STATES = ['sent', 'queued', 'sending', 'failed', 'unknown', 'none'] as const;

interface PeopleToolbarProps {
  readonly state: PeopleState;
  readonly sources: readonly string[];
  readonly fields: Fields;
  readonly zone: string;
  readonly onChange: (change: Partial<PeopleState>) => void;
}

/** The search field, a button for all filters, and the active filters. */
export function PeopleToolbar({ state, sources, fields, zone, onChange }: PeopleToolbarProps) {
  const names = useNames(fields);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const dismiss = useDismiss<HTMLElement>(
    isOpen,
    useCallback(() => setOpen(false), []),
  );
  return (
    <search className={styles.toolbar} {...dismiss}>
      <SearchField search={state.search} onSearch={(search) => onChange({ search })} />
      <div className={styles.anchor}>
        <Button ref={button} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden />
          Filters
        </Button>
        {isOpen && (
          <div role="dialog" aria-label="Filters" className={styles.filters}>
            <FilterFields state={state} sources={sources} fields={fields} zone={zone} onChange={onChange} />
          </div>
        )}
      </div>
      <FilterChips
        filters={describeFilters(state, zone, names)}
        onRemove={(key) => {
          onChange(withoutFilter(state, zone, key));
          button.current?.focus();
        }}
      />
      {isFiltered(state) && (
        <Button
          look="quiet"
          onClick={() =>
            onChange({ search: '', state: '', mail: '', source: '', import: '', from: '', to: '', segment: '' })
          }
        >
          Clear
        </Button>
      )}
    </search>
  );
}

function FilterFields({ state, sources, fields, zone, onChange }: PeopleToolbarProps) {
  const segments = useSegments();
  return (
    <>
      <Choice
        label="State"
        value={state.state}
        options={[['', 'Any state'], ...PERSON_STATES.map((state) => [state, STATE_LABELS[state]] as const)]}
        onChoose={(state) => onChange({ state })}
      />
      <Choice
        label="Mail"
        value={state.mail}
        options={[['', 'Any state'], ...MAIL_STATES.map((state) => [state, MAIL_LABELS[state]] as const)]}
        onChoose={(mail) => onChange({ mail })}
      />
      <TextField label="From" type="date" value={state.from} onChange={(from) => onChange({ from })} />
      <TextField label="To" type="date" value={state.to} onChange={(to) => onChange({ to })} />
      <Choice
        label="Source"
        value={state.source}
        options={[['', 'Any source'], ...sources.map((source) => [source, source] as const)]}
        onChoose={(source) => onChange({ source })}
      />
      {/* For narrow screens, where there are no column headings to sort by. */}
      <Choice
        className={styles.order}
        label="Order"
        value={state.sort}
        options={PEOPLE_SORTS.map((sort): readonly [PeopleSort, string] => [sort, SORT_LABELS[sort]])}
        onChoose={(sort) => onChange({ sort })}
      />
      {segments && (
        <div className={styles.segments}>
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
    </>
  );
}

function SearchField({ search, onSearch }: { readonly search: string; readonly onSearch: (search: string) => void }) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  // The URL was changed by something else: back, forward, or "Clear".
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
    <label className={styles.search}>
      <span className={ui.hidden}>Search</span>
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
