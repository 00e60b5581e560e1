import { type Range, rangeText } from './product.ts';

interface RangeTextProps {
  range: Range;
  unit?: string;
}

/** A range such as "2-3" that does not wrap after its hyphen. */
export function RangeText({ range, unit = '' }: RangeTextProps) {
  return <span className="range-text">{rangeText(range) + unit}</span>;
}
