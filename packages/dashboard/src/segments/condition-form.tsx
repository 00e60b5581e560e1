import { PERSON_STATES, type Segment } from 'early-access-server/admin-api';
import { isTextName, listStates, MAX_DAYS_AGO } from 'early-access-server/admin-pages';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { subjectText } from '../campaigns/subject-text.ts';
import { upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Checklist } from '../ui/checklist.tsx';
import { Choice } from '../ui/choice.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import styles from './segments.module.css';
import { TextCondition } from './text-condition.tsx';
import { type Fields, useCampaigns } from './use-segments.ts';

const KINDS = {
  states: 'State',
  period: 'Signed up between',
  source: 'Source',
  labels: 'Labels',
  language: 'Language',
  campaign: 'UTM campaign',
  invited_days_ago: 'Invited, not joined after',
  import: 'Came with an import',
  with_campaign: 'Was sent a campaign',
  without_campaign: 'Was not sent a campaign',
} as const;
export type ConditionKind = keyof typeof KINDS;

const DEFAULT_DAYS = 14;

interface ConditionFormProps {
  readonly kinds: readonly ConditionKind[];
  readonly fields: Fields;
  readonly zone: string;
  readonly onAdd: (condition: Segment) => void;
  readonly onClose: () => void;
}

export function ConditionForm({ kinds, fields, zone, onAdd, onClose }: ConditionFormProps) {
  const options = [
    ...kinds.map((kind) => [kind, KINDS[kind]] as const),
    ...fields.map(({ name, label }) => [`fields.${name}`, label] as const),
  ];
  const [key, setKey] = useState(options[0]?.[0] ?? '');
  const [value, setValue] = useState<Segment>(initialValue(key));
  const choose = (next: string) => {
    setKey(next);
    setValue(initialValue(next));
  };
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('select')?.focus(), []);
  const isComplete = Object.values(value).some((part) => part !== '' && !(Array.isArray(part) && part.length === 0));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) onAdd(key === 'period' ? { ...value, zone } : value);
  };
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Closes only the form, not a popup around it.
        event.stopPropagation();
        onClose();
      }}
      aria-label="Add a filter"
    >
      <Choice label="Filter by" value={key} options={options} onChoose={choose} />
      <div className={styles.value}>
        <ConditionValue conditionKey={key} value={value} fields={fields} zone={zone} onChange={setValue} />
      </div>
      <div className={ui.row}>
        <Button type="submit" look="primary" disabled={!isComplete}>
          Add
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function initialValue(key: string): Segment {
  if (key === 'invited_days_ago') return { invited_days_ago: DEFAULT_DAYS };
  return {};
}

interface ConditionValueProps extends Pick<ConditionFormProps, 'fields' | 'zone'> {
  readonly conditionKey: string;
  readonly value: Segment;
  readonly onChange: (value: Segment) => void;
}

function ConditionValue({ conditionKey: key, value, fields, zone, onChange }: ConditionValueProps) {
  const sent = (useCampaigns() ?? []).filter(({ started_at }) => started_at !== null);
  const campaignOptions = [
    ['', sent.length > 0 ? 'Choose…' : 'None sent yet'] as const,
    ...sent.map(({ id, subject }) => [id, subjectText(subject, fields) || 'Without a subject'] as const),
  ];
  switch (key) {
    case 'states':
      return (
        <Checklist
          legend="State"
          options={PERSON_STATES}
          chosen={value.states ?? []}
          onChange={(states) => onChange({ states })}
        >
          {(state) => upperFirst(listStates([state]))}
        </Checklist>
      );
    case 'period':
      return (
        <>
          <TextField
            label="From"
            type="date"
            value={value.from ?? ''}
            onChange={(from) => onChange({ ...value, from })}
          />
          <TextField label="To" type="date" value={value.to ?? ''} onChange={(to) => onChange({ ...value, to })} />
        </>
      );
    case 'invited_days_ago':
      return (
        <label className={ui.field}>
          Days
          <input
            className={ui.input}
            type="number"
            min={0}
            max={MAX_DAYS_AGO}
            value={value.invited_days_ago ?? ''}
            onChange={({ target }) =>
              onChange(Number.isInteger(target.valueAsNumber) ? { invited_days_ago: target.valueAsNumber } : {})
            }
          />
        </label>
      );
    case 'with_campaign':
    case 'without_campaign':
      return (
        <Choice
          label="Campaign"
          value={value[key] ?? ''}
          options={campaignOptions}
          onChoose={(id) => onChange({ [key]: id })}
        />
      );
    default:
      return isTextName(key) && <TextCondition key={key} of={key} fields={fields} zone={zone} onChange={onChange} />;
  }
}
