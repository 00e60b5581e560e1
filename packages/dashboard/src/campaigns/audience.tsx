import type {
  Audience,
  AudienceSizeResponse,
  SavedSegment,
  Segment,
  SegmentNames,
} from 'early-access-server/admin-api';
import { CAMPAIGN_AUDIENCE, describeSegment, listStates, readSegment } from 'early-access-server/admin-pages';
import { useState } from 'react';
import { formatCount } from '../format/format.ts';
import { Conditions } from '../segments/conditions.tsx';
import { SegmentPicker } from '../segments/segment-picker.tsx';
import { type Fields, useSegments, useSources } from '../segments/use-segments.ts';
import { Checklist } from '../ui/checklist.tsx';
import { Notice } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';

/** Returns a text such as `people who are waiting or invited, from landing_page, if language is German`. */
export function audienceText({ states, source, conditions = {} }: Audience, names: SegmentNames): string {
  const narrowed = describeSegment(conditions, names);
  return [
    `people who are ${listStates(states) || 'in no state'}`,
    source !== null && `from ${source}`,
    narrowed && `if ${narrowed}`,
  ]
    .filter(Boolean)
    .join(', ');
}

interface AudienceFieldsProps {
  readonly audience: Audience;
  readonly fields: Fields;
  readonly zone: string;
  readonly onChange: (audience: Audience) => void;
}

const KINDS = [
  'labels',
  'language',
  'campaign',
  'period',
  'import',
  'invited_days_ago',
  'with_campaign',
  'without_campaign',
] as const;

/** Selects the recipients by state and source, and by the conditions of a segment. */
export function AudienceFields({ audience, fields, zone, onChange }: AudienceFieldsProps) {
  const { states, source, conditions = {} } = audience;
  const segments = useSegments();
  const [problem, setProblem] = useState<string | null>(null);
  const change = (part: Partial<Audience>) => {
    setProblem(null);
    const { conditions: changed = {}, ...rest } = { ...audience, ...part };
    onChange({ ...rest, ...(Object.keys(changed).length > 0 && { conditions: changed }) });
  };
  const choose = (segment: SavedSegment | null) => {
    const { states = CAMPAIGN_AUDIENCE, source = null, ...conditions } = segment?.conditions ?? {};
    const refused = states.filter((state) => !CAMPAIGN_AUDIENCE.includes(state));
    if (refused.length === 0) change({ states, source, conditions });
    else setProblem(`“${segment?.name}” is for people who are ${listStates(refused)}. They receive no campaigns.`);
  };
  const sources = useSources();
  return (
    <div className={styles.audience}>
      {segments && segments.length > 0 && (
        <div className={`${styles.wide} ${ui.stack}`}>
          <SegmentPicker segments={segments} segment={toSegment(audience)} onChoose={choose} />
          {problem && (
            <p role="alert" className={`${ui.text} ${ui.problem}`}>
              {problem}
            </p>
          )}
        </div>
      )}
      <Checklist
        legend="People who are"
        options={CAMPAIGN_AUDIENCE}
        chosen={states}
        onChange={(chosen) => change({ states: chosen })}
      >
        {(state) => listStates([state])}
      </Checklist>
      <label className={ui.field}>
        Source
        <select
          className={ui.input}
          value={source ?? ''}
          onChange={({ target }) => change({ source: target.value === '' ? null : target.value })}
        >
          <option value="">Any source</option>
          {[...new Set([...(source === null ? [] : [source]), ...(sources ?? [])])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {segments && (
        <div className={styles.wide}>
          <Conditions
            conditions={conditions}
            kinds={KINDS}
            fields={fields}
            zone={zone}
            onChange={(changed) => change({ conditions: changed })}
          />
        </div>
      )}
    </div>
  );
}

/** Returns the audience's conditions as a segment. Selecting all states is the same as no condition on the state. */
function toSegment({ states, source, conditions }: Audience): Segment {
  const isEveryState = CAMPAIGN_AUDIENCE.every((state) => states.includes(state));
  return readSegment({ ...conditions, ...(!isEveryState && { states }), source });
}

interface AudienceWarningProps {
  readonly audience: Audience;
  readonly size: AudienceSizeResponse;
}

/** Warns if the audience is empty, or if the conditions exclude nobody. */
export function AudienceWarning({ audience, size: { people, everyone, is_partial } }: AudienceWarningProps) {
  const isNarrowed = Object.keys(toSegment(audience)).length > 0;
  if (people === 0 && !is_partial) {
    return (
      <Notice look="warning">
        {everyone === 0
          ? 'No one can receive campaigns yet: no one on the list is waiting, has been invited or has joined.'
          : `No one matches. Remove a filter to reach up to ${formatCount(everyone, 'person', 'people')}.`}
      </Notice>
    );
  }
  if (!isNarrowed || people < everyone) return null;
  return (
    <Notice look="warning">These filters exclude no one, so this goes to everyone who can receive campaigns.</Notice>
  );
}
