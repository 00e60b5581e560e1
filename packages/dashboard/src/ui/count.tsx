import { formatNumber, formatPercent } from '../format/format.ts';
import ui from './ui.module.css';

interface CountProps {
  readonly count: number;
  /** A share from 0 to 1. Null: shown as a dash; undefined: the column stays empty. */
  readonly share?: number | null | undefined;
}

/** A number with its share, aligned with those above and below. */
export function Count({ count, share }: CountProps) {
  return (
    <span className={ui.count}>
      <span>{formatNumber(count)}</span> <span>{share !== undefined && formatPercent(share)}</span>
    </span>
  );
}
