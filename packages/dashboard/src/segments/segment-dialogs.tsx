import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_SEGMENT_NAME, type SavedSegment, type Segment } from 'early-access-server/admin-api';
import { type FormEvent, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';

interface NameDialogProps {
  /** The segment to rename, or the conditions to save. */
  readonly segment: SavedSegment | Segment;
  /** The conditions in words. */
  readonly description: string;
  readonly onClose: () => void;
}

/** Saves conditions under a name, or renames a segment. */
export function NameDialog({ segment, description, onClose }: NameDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const field = useRef<HTMLInputElement>(null);
  const saved = 'conditions' in segment ? segment : null;
  const [name, setName] = useState(saved?.name ?? '');
  const save = useMutation({
    mutationFn: () =>
      saved ? api.post(`/segments/${saved.id}`, { name }) : api.post('/segments', { name, conditions: segment }),
    onSuccess: () => {
      notify.done(`The segment “${name}” was ${saved ? 'renamed' : 'saved'}.`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['segments'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <Dialog title={saved ? 'Rename the segment' : 'Save as a segment'} open onClose={onClose} initialFocus={field}>
      <form className={ui.stack} onSubmit={submit} noValidate>
        <label className={ui.field}>
          Name
          <input
            ref={field}
            className={ui.input}
            value={name}
            maxLength={MAX_SEGMENT_NAME}
            autoComplete="off"
            aria-invalid={save.isError}
            aria-describedby="segment-problem"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <p className={`${ui.text} ${ui.hint}`}>People for whom all of this is true: {description}.</p>
        <p role="alert" id="segment-problem" className={`${ui.text} ${ui.problem}`}>
          {save.error && upperFirst(save.error.message)}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {saved ? 'Rename' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface DeleteDialogProps {
  readonly segment: SavedSegment;
  readonly onClose: () => void;
}

export function DeleteDialog({ segment, onClose }: DeleteDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const remove = useMutation({
    mutationFn: () => api.post(`/segments/${segment.id}/remove`),
    onSuccess: () => {
      notify.done(`The segment “${segment.name}” was deleted.`);
      onClose();
    },
    onError: notify.failed,
    onSettled: () => client.invalidateQueries({ queryKey: ['segments'] }),
  });
  return (
    <ConfirmDialog
      title={`Delete “${segment.name}”?`}
      action="Delete the segment"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Nobody is removed from the list. Campaigns that were written for it keep its conditions.
    </ConfirmDialog>
  );
}
