import { SAMPLE } from '../sample-card/pricing.ts';

/** The plates of the two-color print, in printing order. */
export type Plate = 'key' | 'ink' | 'spot';

const UNITS_PER_INCH = 10;
const WIDTH = SAMPLE.width * UNITS_PER_INCH;
const HEIGHT = SAMPLE.height * UNITS_PER_INCH;
/** The horizon separates cost (above) from profit (below), in proportion to the sample's figures. */
const HORIZON = Math.round((1 - SAMPLE.margin) * HEIGHT * 100) / 100;
const SUN = { x: 104, radius: 34 };
const DOT_PITCH = 10;

const rise = `${SUN.x - SUN.radius} ${HORIZON}a${SUN.radius} ${SUN.radius} 0 0 1 ${2 * SUN.radius} 0`;
const sun = `M${rise}z`;
/** The plates extend past the trim edge, so that no paper shows there. */
const sky = `M-1-1H${WIDTH + 1}V${HORIZON}H-1z`;
/** Sea and sun are one path, because two paths would show a seam. */
const sea = `M-1 ${HORIZON}L${rise}H${WIDTH + 1}V${HEIGHT + 1}H-1z`;

/** Rows of round dots that shrink with distance from the horizon. Each row is one dashed line. */
const halftone = Array.from({ length: 10 }, (_, row) => ({
  y: Math.round((HORIZON + 6 + row * DOT_PITCH) * 100) / 100,
  x: row % 2 === 0 ? 0 : DOT_PITCH / 2,
  size: Math.round((8.2 - row * 0.8) * 100) / 100,
}));

/** The sample's print to scale: a sun over a sea of profit. Decorative: the text beside it has the figures. */
export function PrintPicture({ plates }: { plates: readonly Plate[] }) {
  return (
    <svg className="print-picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <path className="print-picture__stock" d={`M0 0h${WIDTH}v${HEIGHT}h-${WIDTH}z`} />
      {plates.includes('ink') && (
        <g className="print-picture__ink">
          <path d={sky} />
          <path className="print-picture__knockout" d={sun} />
        </g>
      )}
      {plates.includes('spot') && (
        <g className="print-picture__spot">
          <path d={sea} />
          {halftone.map(({ y, x, size }) => (
            <path key={y} className="print-picture__dots" d={`M${x} ${y}H${WIDTH + 1}`} strokeWidth={size} />
          ))}
        </g>
      )}
      {plates.includes('key') && (
        <g className="print-picture__key">
          <path d={`M0 ${HORIZON}H${WIDTH}M.5.5h${WIDTH - 1}v${HEIGHT - 1}h-${WIDTH - 1}z`} />
          <path d={sun} />
        </g>
      )}
    </svg>
  );
}
