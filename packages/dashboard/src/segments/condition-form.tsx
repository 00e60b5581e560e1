import {
  type ImportRecord,
  listStates,
  MAX_DAYS_AGO,
  nameLanguage,
  PERSON_STATES,
  type Segment,
} from 'early-access-server/admin-api';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formatDateTime, upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Checklist } from '../ui/checklist.tsx';
import { Choice } from '../ui/choice.tsx';
import ui from '../ui/ui.module.css';
import styles from './segments.module.css';
import { type Fields, useCampaigns, useImports } from './use-segments.ts';

const KINDS = {
  states: 'State',
  period: 'Signed up between',
  language: 'Language',
  campaign: 'UTM campaign',
  invited_days_ago: 'Invited, but not joined for',
  import: 'Came with an import',
  with_campaign: 'Was sent a campaign',
  without_campaign: 'Was not sent a campaign',
} as const;
export type ConditionKind = keyof typeof KINDS;

const LANGUAGES = (
  'ar bg bn ca cs da de el en es et eu fa fi fil fr ga gl he hi hr hu hy id is it ja ka ko lt lv mk ms nb nl no pl pt ro ru sk sl sq sr ' +
  'sv sw ta te th tr uk ur vi zh'
)
  .split(' ')
  .map((tag) => [tag, nameLanguage(tag)] as const)
  .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));

const DEFAULT_DAYS = 14;

interface ConditionFormProps {
  readonly kinds: readonly ConditionKind[];
  readonly fields: Fields;
  readonly zone: string;
  readonly onAdd: (condition: Segment) => void;
  readonly onClose: () => void;
}

/** Chooses a condition and its value. */
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
  useEffect(() => form.current?.querySelector('select')?.focus(), []);
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
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
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
  return key.startsWith('fields.') ? { fields: { [key.slice('fields.'.length)]: true } } : {};
}

interface ConditionValueProps extends Pick<ConditionFormProps, 'fields' | 'zone'> {
  readonly conditionKey: string;
  readonly value: Segment;
  readonly onChange: (value: Segment) => void;
}

function ConditionValue({ conditionKey: key, value, fields, zone, onChange }: ConditionValueProps) {
  const imports = useImports() ?? [];
  const sent = (useCampaigns() ?? []).filter(({ started_at }) => started_at !== null);
  const campaignOptions = [
    ['', sent.length > 0 ? 'Choose…' : 'None has been sent yet'] as const,
    ...sent.map(({ id, subject }) => [id, subject || 'Without a subject'] as const),
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
          <TextValue label="From" type="date" value={value.from} onChange={(from) => onChange({ ...value, from })} />
          <TextValue label="To" type="date" value={value.to} onChange={(to) => onChange({ ...value, to })} />
        </>
      );
    case 'language':
      return (
        <Choice
          label="Language"
          value={value.language ?? ''}
          options={[['', 'Choose…'], ...LANGUAGES]}
          onChoose={(language) => onChange({ language })}
        />
      );
    case 'campaign':
      return <TextValue label="UTM campaign" value={value.campaign} onChange={(campaign) => onChange({ campaign })} />;
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
    case 'import':
      return (
        <Choice
          label="Import"
          value={value.import ?? ''}
          options={[
            ['', imports.length > 0 ? 'Choose…' : 'None has added anyone yet'],
            ...imports.map((file) => [file.id, nameFile(file, zone)] as const),
          ]}
          onChoose={(id) => onChange({ import: id })}
        />
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
    default: {
      const field = fields.find(({ name }) => key === `fields.${name}`);
      if (field === undefined) return null;
      const stored = value.fields?.[field.name] ?? true;
      const change = (text: string) => onChange({ fields: { [field.name]: text === '' ? true : text } });
      const text = stored === true ? '' : stored;
      return field.choices.length > 0 ? (
        <Choice
          label="Value"
          value={text}
          options={[['', 'Any value'], ...field.choices.map(({ value, label }) => [value, label] as const)]}
          onChoose={change}
        />
      ) : (
        <TextValue label="Exact value" placeholder="Any value" value={text} onChange={change} />
      );
    }
  }
}

/** The time tells imports of the same file apart. */
function nameFile({ name, created_at }: ImportRecord, zone: string): string {
  return `${name || 'A file without a name'}, ${formatDateTime(created_at, zone)}`;
}

interface TextValueProps {
  readonly label: string;
  readonly type?: 'date' | 'text';
  readonly placeholder?: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

function TextValue({ label, value = '', onChange, ...input }: TextValueProps) {
  return (
    <label className={ui.field}>
      {label}
      <input
        className={ui.input}
        value={value}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        {...input}
      />
    </label>
  );
}
