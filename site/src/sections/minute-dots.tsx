import type { Range } from '../content/figures.ts';

const PER_ROW = 30;
const PITCH = 10;

interface MinuteDotsProps {
  /** Minutes: so many for certain, so many at most. */
  minutes: Range;
  className: string;
}

/** One dot a minute, thirty to the row, always to the same scale: solid up to the lower figure, rings up to the higher. */
export function MinuteDots({ minutes: [least, most], className }: MinuteDotsProps) {
  const width = Math.min(most, PER_ROW) * PITCH;
  const height = Math.ceil(most / PER_ROW) * PITCH;
  return (
    <svg className={`dots ${className}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      <path className="dots__solid" d={rows(0, most)} />
      <path className="dots__hole" d={rows(least, most)} />
    </svg>
  );
}

/** A path of dashed lines, of which each dash is one dot. */
function rows(from: number, to: number): string {
  let path = '';
  for (let minute = from; minute < to; ) {
    const column = minute % PER_ROW;
    const count = Math.min(PER_ROW - column, to - minute);
    const y = Math.floor(minute / PER_ROW) * PITCH + PITCH / 2;
    path += `M${column * PITCH + PITCH / 2} ${y}h${count * PITCH - PITCH + 1}`;
    minute += count;
  }
  return path;
}
