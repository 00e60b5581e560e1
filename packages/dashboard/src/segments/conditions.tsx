import type { Segment } from 'early-access-server/admin-api';
import { addConditions, describeConditions, removeCondition } from 'early-access-server/admin-pages';
import { Plus } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { FilterChips } from '../ui/filter-chips.tsx';
import { ConditionForm, type ConditionKind } from './condition-form.tsx';
import styles from './segments.module.css';
import { type Fields, useNames } from './use-segments.ts';

interface ConditionsProps {
  readonly conditions: Segment;
  /** The kinds of conditions that can be added, besides the host's fields. */
  readonly kinds: readonly ConditionKind[];
  readonly fields: Fields;
  readonly zone: string;
  readonly onChange: (conditions: Segment) => void;
  /** The chips are shown elsewhere. */
  readonly hidesChips?: boolean;
  /** Shown before the button that adds a condition. */
  readonly picker?: ReactNode;
  /** Additional buttons. */
  readonly children?: ReactNode;
}

/** Conditions as removable chips, and a form that adds one. */
export function Conditions({
  conditions,
  kinds,
  fields,
  zone,
  onChange,
  hidesChips = false,
  picker,
  children,
}: ConditionsProps) {
  const names = useNames(fields);
  const [isAdding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAdding(false);
    addButton.current?.focus();
  };
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
      {!hidesChips && (
        <FilterChips
          filters={describeConditions(conditions, names)}
          onRemove={(key) => {
            onChange(removeCondition(conditions, key));
            addButton.current?.focus();
          }}
        />
      )}
      {isAdding && (
        <ConditionForm
          kinds={kinds}
          fields={fields}
          zone={zone}
          onAdd={(added) => {
            onChange(addConditions(conditions, added));
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
