import { describeConditions, readSegment, removeCondition, type Segment } from 'early-access-server/admin-api';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import { ConditionForm, type ConditionKind } from './condition-form.tsx';
import styles from './segments.module.css';
import { createNames, type Fields, useCampaigns } from './use-segments.ts';

interface ConditionsProps {
  readonly conditions: Segment;
  /** The conditions that can be added, besides the host's fields. */
  readonly kinds: readonly ConditionKind[];
  readonly fields: Fields;
  readonly zone: string;
  readonly onChange: (conditions: Segment) => void;
  /** Stands before the button that adds a condition. */
  readonly picker?: ReactNode;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Conditions as chips, each of which can be removed, and a form that adds one. */
export function Conditions({ conditions, kinds, fields, zone, onChange, picker, children }: ConditionsProps) {
  const campaigns = useCampaigns();
  const [isAdding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAdding(false);
    addButton.current?.focus();
  };
  const texts = describeConditions(conditions, createNames(fields, campaigns));
  return (
    <div className={styles.conditions}>
      <div className={styles.bar}>
        {picker}
        <Button ref={addButton} look="quiet" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          <Plus aria-hidden />
          Add filter
        </Button>
        {children}
      </div>
      {texts.length > 0 && (
        <ul className={`${ui.list} ${ui.row}`} aria-label="Filters">
          {texts.map(({ key, text }) => (
            <li key={key} className={styles.chip}>
              <span>{upperFirst(text)}</span>
              <button
                type="button"
                aria-label={`Remove: ${text}`}
                onClick={() => {
                  onChange(removeCondition(conditions, key));
                  addButton.current?.focus();
                }}
              >
                <X aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <ConditionForm
          kinds={kinds}
          fields={fields}
          campaigns={campaigns ?? []}
          zone={zone}
          onAdd={(added) => {
            onChange(readSegment({ ...conditions, ...added, fields: { ...conditions.fields, ...added.fields } }));
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
