import { RECOMMENDED_MARGIN } from '../content/product.ts';

const TICKS = Array.from({ length: 21 }, (_, step) => step * 5);

const fromTop = (share: number) => `${Math.round((1 - share) * 1e4) / 100}%`;

/** A ruler from 0 at the bottom of the print to 100 at the top, with the recommended margins marked. */
export function MarginScale({ margin }: { margin: number }) {
  const [low, high] = RECOMMENDED_MARGIN;
  const mark = fromTop(margin);
  return (
    <svg className="margin-scale" aria-hidden="true" focusable="false">
      <rect className="margin-scale__recommended" width="12" y={fromTop(high / 100)} height={`${high - low}%`} />
      {TICKS.map((tick) => (
        <line key={tick} x2={tick % 25 === 0 ? 12 : 6} y1={fromTop(tick / 100)} y2={fromTop(tick / 100)} />
      ))}
      {[low, high].map((end) => (
        <text key={end} x="17" y={fromTop(end / 100)} dy="0.35em">
          {end}
        </text>
      ))}
      <line className="margin-scale__pointer" x1="-8" x2="19" y1={mark} y2={mark} />
    </svg>
  );
}
