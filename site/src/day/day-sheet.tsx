import { HOURS_BY_HAND, type Range } from '../content/product.ts';
import { COLUMNS, countRows, freeMinutes, minutes, PITCH } from './dots.ts';

/** The maximum number of minutes that pricing by hand takes. */
const DAY = HOURS_BY_HAND[1] * 60;

interface DaySheetProps {
  /** Minutes spent on a price: the minimum and the maximum. */
  spent: Range;
}

/**
 * A day with one dot per minute: spent minutes are solid, possibly spent ones are rings, and the rest form a picture.
 */
export function DaySheet({ spent: [least, most] }: DaySheetProps) {
  return (
    <svg
      className="day-sheet"
      viewBox={`${-PITCH / 2} ${-PITCH / 2} ${(COLUMNS + 1) * PITCH} ${(countRows(DAY) + 1) * PITCH}`}
      aria-hidden="true"
      focusable="false"
    >
      {most < DAY && (
        <g className="day-sheet__free">
          {freeMinutes(most, DAY).map(({ size, path }) => (
            <path key={path} d={path} strokeWidth={size} />
          ))}
        </g>
      )}
      <path className="day-sheet__spent" d={minutes(0, most)} />
      <path className="day-sheet__perhaps" d={minutes(least, most)} />
    </svg>
  );
}
