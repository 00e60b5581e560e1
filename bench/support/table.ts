import type { Row } from './row.ts';

const HEADINGS = ['', 'ours', 'theirs', 'ratio', 'goal', 'met', 'spread', 'repeated', 'against'] as const;

/** Formats the rows as text, with a line between questions. */
export function formatTable(groups: ReadonlyMap<string, readonly Row[]>): string {
  const blocks = [...groups].map(([question, rows]) => ({ question, cells: rows.map(formatCells) }));
  const all = [[...HEADINGS], ...blocks.flatMap(({ cells }) => cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd();
  return [line(HEADINGS), ...blocks.flatMap(({ question, cells }) => ['', question, ...cells.map(line)]), ''].join(
    '\n',
  );
}

/** Names and words are left-aligned, numbers right-aligned. */
function pad(cell: string, width: number, column: number): string {
  return column === 0 || column > 3 ? cell.padEnd(width) : cell.padStart(width);
}

function formatCells({
  name,
  unit,
  ours,
  theirs,
  ratio,
  goal,
  met,
  busy,
  ratios,
  spread,
  repeated,
  against,
}: Row): string[] {
  return [
    `  ${[name, unit].filter(Boolean).join(', ')}`,
    number(ours),
    theirs === null ? '' : number(theirs),
    ratio === null ? '' : times(ratio),
    goal ?? '',
    busy === undefined ? (met === null ? '' : met ? 'yes' : 'NO') : 'busy',
    ratios ? formatSpread(ratios, times) : spread ? formatSpread(spread, number) : '',
    repeated === undefined ? '' : `${repeated.runs} of ${repeated.of} runs`,
    against ?? '',
  ];
}

function formatSpread({ min, max, samples }: NonNullable<Row['spread']>, text: (value: number) => string): string {
  return `${text(min)} – ${text(max)} (${samples})`;
}

function times(ratio: number): string {
  return `${ratio < 0.1 ? ratio.toPrecision(1) : ratio.toFixed(2)}×`;
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 1_000 ? 4 : 15, maximumFractionDigits: 3 });
}
