import { useQuery } from '@tanstack/react-query';
import { type Audience, CAMPAIGN_AUDIENCE } from 'early-access-server/admin-api';
import { useApi } from '../api/admin-api.ts';
import { Checklist } from '../ui/checklist.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';

/** How each state of a person is called in sentences. */
const STATE_TEXTS = {
  pending: 'not confirmed',
  subscribed: 'waiting',
  invited: 'invited',
  joined: 'joined',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
} as const;

/** `people who are waiting or invited, from landing_page`. */
export function audienceText({ states, source }: Audience): string {
  const who = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(states.map((state) => STATE_TEXTS[state]));
  return `people who are ${who || 'in no state'}${source === null ? '' : `, from ${source}`}`;
}

interface AudienceFieldsProps {
  readonly audience: Audience;
  readonly onChange: (audience: Audience) => void;
}

/** Whom an email is for: people by state and source. */
export function AudienceFields({ audience, onChange }: AudienceFieldsProps) {
  const { states, source } = audience;
  const api = useApi();
  const sources = useQuery({
    queryKey: ['people', 'sources'],
    queryFn: ({ signal }) => api.get<{ sources: readonly string[] }>('/people/sources', undefined, signal),
  });
  return (
    <div className={styles.audience}>
      <Checklist
        legend="People who are"
        options={CAMPAIGN_AUDIENCE}
        chosen={states}
        onChange={(chosen) => onChange({ source, states: chosen })}
      >
        {(state) => STATE_TEXTS[state]}
      </Checklist>
      <label className={ui.field}>
        Source
        <select
          className={ui.input}
          value={source ?? ''}
          onChange={({ target }) => onChange({ states, source: target.value === '' ? null : target.value })}
        >
          <option value="">Any source</option>
          {[...new Set([...(source === null ? [] : [source]), ...(sources.data?.sources ?? [])])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
