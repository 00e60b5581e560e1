import type { BulkResponse, Person } from 'early-access-server/admin-api';
import { parseLabel } from 'early-access-server/admin-pages';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useMay } from '../shell/role.ts';
import { Button } from '../ui/button.tsx';
import chips from '../ui/filter-chips.module.css';
import ui from '../ui/ui.module.css';
import { LabelField } from './labels-field.tsx';
import styles from './people.module.css';

interface Change {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** The labels of a person, each with a button to remove it, and a field to add one. */
export function PersonLabels({ person: { id, labels = [] } }: { readonly person: Pick<Person, 'id' | 'labels'> }) {
  const mayChange = useMay()('people:write');
  const [text, setText] = useState('');
  const change = useAction(
    async (api, changed: Change) => {
      const { results } = await api.post<BulkResponse>('/people/labels', { ids: [id], ...changed });
      if (results.some(({ result }) => result === 'too-many')) throw new Error('They have too many labels.');
    },
    { refreshes: [['people']], onDone: (_, { add }) => add && setText('') },
  );
  const label = parseLabel(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (label !== null && !change.isPending) change.mutate({ add: [label] });
  };
  return (
    <div className={ui.stack}>
      {labels.length > 0 && (
        <ul className={`${ui.list} ${ui.row}`} aria-label="Labels">
          {labels.map((each) => (
            <li key={each} className={chips.chip}>
              <span>{each}</span>
              {mayChange && (
                <button
                  type="button"
                  aria-label={`Remove label ${each}`}
                  onClick={() => change.mutate({ remove: [each] })}
                >
                  <X aria-hidden />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <form className={styles.addLabel} onSubmit={submit}>
          <LabelField
            label={<span className={ui.hidden}>Add a label</span>}
            placeholder="Add a label"
            value={text}
            onChange={setText}
          />
          <Button type="submit" busy={change.isPending} disabled={label === null}>
            Add
          </Button>
        </form>
      )}
    </div>
  );
}
