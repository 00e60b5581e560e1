import { formatNumber, formatPercent } from '../format/format.ts';
import ui from './ui.module.css';

interface CountProps {
  readonly count: number;
  /** The share of a whole, from 0 to 1. Null if there is none; undefined leaves its place empty. */
  readonly share?: number | null | undefined;
}

/** A number with its share, which line up with those above and below. */
export function Count({ count, share }: CountProps) {
  return (
    <span className={ui.count}>
      <span>{formatNumber(count)}</span> <span>{share !== undefined && formatPercent(share)}</span>
    </span>
  );
}
