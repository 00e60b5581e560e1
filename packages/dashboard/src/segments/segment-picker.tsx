import type { SavedSegment, Segment } from 'early-access-server/admin-api';
import { Choice } from '../ui/choice.tsx';
import styles from './segments.module.css';

interface SegmentPickerProps {
  readonly segments: readonly SavedSegment[];
  /** The selected conditions. */
  readonly segment: Segment;
  readonly onChoose: (segment: SavedSegment | null) => void;
}

/** Selects a saved segment or none. Renders nothing if no segment is saved. */
export function SegmentPicker({ segments, segment, onChoose }: SegmentPickerProps) {
  if (segments.length === 0) return null;
  const chosen = findSegment(segments, segment);
  const isEmpty = Object.keys(segment).length === 0;
  const other = ['other', 'Other filters'] as const;
  return (
    <Choice
      className={styles.picker}
      label="Segment"
      value={chosen?.id ?? (isEmpty ? '' : 'other')}
      options={[
        ...(isEmpty || chosen ? [] : [other]),
        ['', 'Everyone'],
        ...segments.map(({ id, name }) => [id, name] as const),
      ]}
      onChoose={(id) => onChoose(segments.find((saved) => saved.id === id) ?? null)}
    />
  );
}

/**
 * Returns the saved segment with these conditions. `readSegment` parsed both, so equal ones have the same key order.
 */
export function findSegment(segments: readonly SavedSegment[], segment: Segment): SavedSegment | undefined {
  const json = JSON.stringify(segment);
  return segments.find(({ conditions }) => JSON.stringify(conditions) === json);
}
