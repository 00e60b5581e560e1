import { parseLabel } from 'early-access-server/admin-pages';
import { useRef, useState } from 'react';
import { formatCount } from '../format/format.ts';
import { Choice } from '../ui/choice.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useBulk } from './bulk.ts';
import { LabelField } from './labels-field.tsx';

interface LabelDialogProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Adds a label to selected people, or removes it. */
export function LabelDialog({ ids, onClose, onDone }: LabelDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState<'add' | 'remove'>('add');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const label = parseLabel(text);
  const done = () => {
    onDone();
    onClose();
  };
  const change = useBulk('labels', done, { [to]: label === null ? [] : [label] });
  return (
    <FormDialog
      title={`Label ${formatCount(ids.length, 'person', 'people')}`}
      action="Change labels"
      busy={change.isPending}
      problem={problem}
      problemId="label-problem"
      initialFocus={field}
      onSubmit={() => {
        if (label === null) setProblem('Enter a label without commas.');
        else change.mutate(ids);
      }}
      onClose={onClose}
    >
      <LabelField
        fieldRef={field}
        label="Label"
        value={text}
        onChange={(next) => {
          setText(next);
          setProblem('');
        }}
      />
      <Choice
        label="Change"
        value={to}
        options={[
          ['add', 'Add'],
          ['remove', 'Remove'],
        ]}
        onChoose={setTo}
      />
    </FormDialog>
  );
}
