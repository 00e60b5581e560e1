import type { BulkAction, BulkJob, CountResponse } from 'early-access-server/admin-api';
import { parseLabel } from 'early-access-server/admin-pages';
import { useRef, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { formatCount, upperFirst } from '../format/format.ts';
import { Choice } from '../ui/choice.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { AS_TYPED, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { LabelField } from './labels-field.tsx';
import type { PeopleFilter } from './people-state.ts';

const ACTIONS = {
  label: 'Add a label',
  unlabel: 'Remove a label',
  invite: 'Invite those who are waiting',
  unsubscribe: 'Unsubscribe',
  forget: 'Erase',
} as const;
type Action = keyof typeof ACTIONS;
const OPTIONS = (['label', 'unlabel', 'invite', 'unsubscribe', 'forget'] as const).map(
  (action) => [action, ACTIONS[action]] as const,
);

const VERBS: Readonly<Record<Action, string>> = {
  label: 'Label',
  unlabel: 'Remove label from',
  invite: 'Invite up to',
  unsubscribe: 'Unsubscribe',
  forget: 'Erase',
};

const HINTS: Readonly<Record<Action, string>> = {
  label: 'People who already have it are unchanged.',
  unlabel: 'People who do not have it are unchanged.',
  invite:
    'Each waiting person gets an email with a personal link, as fast as the mail quota allows. Others are unchanged.',
  unsubscribe:
    'They get no more emails, not even those already queued. Only they can undo this, by signing up again and confirming.',
  forget: 'Their addresses, sources, sessions and emails are erased. They get no more emails. This cannot be undone.',
};

interface ActDialogProps {
  /** The filter of the list. */
  readonly filter: PeopleFilter;
  readonly matching: CountResponse;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

/** Applies an action to everyone who matches. Shows their number; if it has changed, the server does nothing. */
export function ActDialog({ filter, matching: { count, is_partial }, onClose, onStarted }: ActDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [action, setAction] = useState<Action>('label');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const people = `${is_partial ? 'at least ' : ''}${formatCount(count, 'person', 'people')}`;
  const phrase = `erase ${count}`;
  const label = parseLabel(text);
  const start = useAction(
    (api) => {
      const path: BulkAction = action === 'unlabel' ? 'label' : action;
      const labels = label === null ? {} : action === 'label' ? { add: [label] } : { remove: [label] };
      return api.post<BulkJob>(`/bulk/${path}`, { people: count, filter, ...(path === 'label' && labels) });
    },
    {
      refreshes: [['bulk'], ['people', 'count']],
      onDone: () => {
        onStarted();
        onClose();
      },
      showsError: true,
    },
  );
  const needsLabel = action === 'label' || action === 'unlabel';
  const submit = () => {
    if (needsLabel && label === null) return setProblem('Enter a label without commas.');
    if (action === 'forget' && text.trim().toLowerCase() !== phrase) {
      return setProblem('The text does not match. Nobody was erased.');
    }
    start.mutate();
  };
  const enter = (next: string) => {
    setText(next);
    setProblem('');
  };
  return (
    <FormDialog
      title={`All ${people}`}
      action={start.isPending ? 'Starting…' : `${VERBS[action]} ${people}`}
      busy={start.isPending}
      problem={problem || (start.error && upperFirst(start.error.message))}
      problemId="act-problem"
      initialFocus={field}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={ui.text}>
        Applies to everyone who matches now, not to later signups. It runs in the background, and you can pause it.
      </p>
      <Choice
        label="Action"
        value={action}
        options={OPTIONS}
        onChoose={(next) => {
          setAction(next);
          enter('');
        }}
      />
      {needsLabel && <LabelField fieldRef={field} label="Label" value={text} onChange={enter} />}
      {action === 'forget' && (
        <TextField
          label={
            <span className={ui.text}>
              Type <kbd className={ui.phrase}>{phrase}</kbd> to confirm
            </span>
          }
          value={text}
          aria-invalid={problem !== ''}
          aria-describedby="act-problem"
          onChange={enter}
          {...AS_TYPED}
        />
      )}
      <p className={`${ui.text} ${ui.hint}`}>{HINTS[action]}</p>
    </FormDialog>
  );
}
