import type { SavedSegment, Segment } from 'early-access-server/admin-api';
import { describeSegment } from 'early-access-server/admin-pages';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Conditions } from './conditions.tsx';
import { DeleteDialog, SegmentNameDialog } from './segment-dialogs.tsx';
import { findSegment, SegmentPicker } from './segment-picker.tsx';
import { type Fields, useNames } from './use-segments.ts';

const KINDS = [
  'states',
  'source',
  'labels',
  'language',
  'campaign',
  'import',
  'invited_days_ago',
  'with_campaign',
  'without_campaign',
] as const;

interface SegmentBarProps {
  readonly segments: readonly SavedSegment[];
  /** Everything that a segment would save. */
  readonly segment: Segment;
  /** The part of `segment` that has no field of its own on the page. */
  readonly conditions: Segment;
  readonly fields: Fields;
  readonly zone: string;
  /** Replaces `conditions`. */
  readonly onChange: (conditions: Segment) => void;
  /** Replaces `segment`. */
  readonly onChoose: (segment: Segment) => void;
}

/** Filters the list by conditions and by saved segments. */
export function SegmentBar({ segments, segment, conditions, fields, zone, onChange, onChoose }: SegmentBarProps) {
  const names = useNames(fields);
  const [asked, setAsked] = useState<'save' | 'rename' | 'delete' | null>(null);
  const chosen = findSegment(segments, segment);
  const isEmpty = Object.keys(segment).length === 0;
  const close = () => setAsked(null);
  return (
    <>
      <Conditions
        conditions={conditions}
        kinds={KINDS}
        fields={fields}
        zone={zone}
        onChange={onChange}
        hidesChips
        picker={
          <SegmentPicker
            segments={segments}
            segment={segment}
            onChoose={(saved) => onChoose(saved?.conditions ?? {})}
          />
        }
      >
        {!isEmpty && !chosen && (
          <Button look="quiet" onClick={() => setAsked('save')}>
            Save as segment…
          </Button>
        )}
        {chosen && (
          <>
            <Button look="quiet" onClick={() => setAsked('rename')}>
              Rename…
            </Button>
            <Button look="quiet" onClick={() => setAsked('delete')}>
              Delete…
            </Button>
          </>
        )}
      </Conditions>
      {(asked === 'save' || asked === 'rename') && (
        <SegmentNameDialog
          segment={asked === 'rename' && chosen ? chosen : segment}
          description={describeSegment(segment, names)}
          onClose={close}
        />
      )}
      {asked === 'delete' && chosen && <DeleteDialog segment={chosen} onClose={close} />}
    </>
  );
}
