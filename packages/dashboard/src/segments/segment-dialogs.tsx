import type { SavedSegment, Segment } from 'early-access-server/admin-api';
import { MAX_SEGMENT_NAME } from 'early-access-server/admin-pages';
import { useAction } from '../api/use-action.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import ui from '../ui/ui.module.css';

interface SegmentNameDialogProps {
  /** A saved segment to rename, or conditions to save. */
  readonly segment: SavedSegment | Segment;
  /** Describes the conditions. */
  readonly description: string;
  readonly onClose: () => void;
}

/** Saves conditions under a name, or renames a segment. */
export function SegmentNameDialog({ segment, description, onClose }: SegmentNameDialogProps) {
  const saved = 'conditions' in segment ? segment : null;
  const save = useAction(
    (api, name: string) =>
      saved ? api.post(`/segments/${saved.id}`, { name }) : api.post('/segments', { name, conditions: segment }),
    {
      refreshes: [['segments']],
      done: (_, name) => `Segment “${name}” ${saved ? 'renamed' : 'saved'}.`,
      onDone: onClose,
      showsError: true,
    },
  );
  return (
    <NameDialog
      title={saved ? 'Rename segment' : 'Save as segment'}
      action={saved ? 'Rename' : 'Save'}
      name={saved?.name ?? ''}
      maxLength={MAX_SEGMENT_NAME}
      attempt={save}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <p className={`${ui.text} ${ui.hint}`}>People who match all of this: {description}.</p>
    </NameDialog>
  );
}

interface DeleteDialogProps {
  readonly segment: SavedSegment;
  readonly onClose: () => void;
}

export function DeleteDialog({ segment, onClose }: DeleteDialogProps) {
  const remove = useAction((api) => api.post(`/segments/${segment.id}/remove`), {
    refreshes: [['segments']],
    done: () => `Segment “${segment.name}” deleted.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={`Delete “${segment.name}”?`}
      action="Delete segment"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Nobody is removed from the list. Campaigns that use it keep its conditions.
    </ConfirmDialog>
  );
}
