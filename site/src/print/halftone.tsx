const PITCH = 24;
const ROWS = 11;
/** The row with the largest dots. Below it, they shrink to nothing. */
const LARGEST = 21;

const rows = Array.from({ length: ROWS }, (_, row) => ({
  y: PITCH / 2 + row * PITCH,
  x: row % 2 === 0 ? 0 : PITCH / 2,
  size: Math.round((LARGEST - (row * LARGEST) / ROWS) * 10) / 10,
}));

/** A halftone that fades toward the bottom, as wide as its container. Dots of adjacent sections are aligned. */
export function Halftone({ className }: { className: string }) {
  return (
    <svg className={`halftone ${className}`} width="100%" height={ROWS * PITCH} aria-hidden="true" focusable="false">
      {rows.map(({ y, x, size }) => (
        <line key={y} x1={x} x2="100%" y1={y} y2={y} strokeWidth={size} />
      ))}
    </svg>
  );
}
