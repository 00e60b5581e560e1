import uPlot from 'uplot';
import { axisSteps } from './axis-steps.ts';
import type { Measure } from './figures.ts';

/** One line or row of bars over the buckets. The two panels of the chart share their cursor. */
export interface PlotOptions {
  readonly kind: 'area' | 'bars';
  readonly color: string;
  readonly height: number;
  /** Decides the steps of the axis. */
  readonly unit: Measure;
  readonly labels: readonly string[];
  /** Only the lower panel names the buckets. */
  readonly showsLabels: boolean;
  readonly values: readonly (number | null)[];
  /** The bucket that is not over yet, so that its value still changes; -1: none. */
  readonly openIndex: number;
  readonly format: (value: number) => string;
  readonly onPoint: (point: { readonly index: number; readonly left: number } | null) => void;
}

const AXIS_WIDTH = 46;
const SYNC = 'overview';
/** The pixels that a number of the axis needs. */
const ROOM = 40;
/** Labels are at whole buckets. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 9 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b);

export function plot(target: HTMLElement, options: PlotOptions): uPlot {
  const { kind, color, height, labels, unit, showsLabels, values, openIndex, format, onPoint } = options;
  const readColor = (name: string) => getComputedStyle(target).getPropertyValue(name);
  const font = `12px ${getComputedStyle(target).fontFamily}`;
  const axis = { font, stroke: () => readColor('--ead-muted'), ticks: { show: false } };
  const { bars, spline } = uPlot.paths;
  const paths = kind === 'bars' ? bars?.({ size: [0.6, 28], radius: 0.2 }) : spline?.();
  const steps = axisSteps(Math.max(0, ...values.map(Number)), unit, Math.floor(height / ROOM));
  const closed = values.map((value, index) => (index === openIndex ? null : value));
  // A line needs the point before to start from.
  const start = openIndex - (kind === 'area' ? 1 : 0);
  const open = values.map((value, index) => (openIndex >= 0 && index >= start && index <= openIndex ? value : null));
  const shared = {
    stroke: () => readColor(color),
    width: kind === 'bars' ? 0 : 2,
    ...(paths && { paths }),
  };
  return new uPlot(
    {
      width: target.clientWidth,
      height,
      // The last label of the axis is centred on the last bucket and must fit.
      padding: [8, 14, showsLabels ? 0 : 4, 0],
      legend: { show: false },
      scales: {
        x: {
          time: false,
          // Not from the range before, which would grow each time the window changes its width.
          range: () => [-0.5, values.length - 0.5],
        },
        y: { range: () => [0, steps.at(-1) ?? 1] },
      },
      axes: [
        {
          ...axis,
          show: showsLabels,
          size: 28,
          gap: 8,
          space: 62,
          incrs: WHOLE_STEPS,
          grid: { show: false },
          values: (_, splits) => splits.map((at) => labels[at] ?? ''),
        },
        {
          ...axis,
          size: AXIS_WIDTH,
          gap: 8,
          splits: () => [...steps],
          grid: { stroke: () => readColor('--ead-line'), width: 1 },
          values: (_, splits) => splits.map(format),
        },
      ],
      series: [
        {},
        {
          ...shared,
          fill: (self) => (kind === 'bars' ? readColor(color) : fade(self, readColor(color))),
          points: { show: kind === 'area' && values.length <= 2, size: 7, fill: () => readColor(color) },
        },
        {
          ...shared,
          fill: (self) => (kind === 'bars' ? withAlpha(readColor(color), 0.45) : fade(self, readColor(color))),
          dash: [3, 4],
          points: { show: false },
        },
      ],
      cursor: {
        y: false,
        // The cursor moves from bucket to bucket, because there is nothing between them.
        move: (self, left, top) => [left < 0 ? left : self.valToPos(self.posToIdx(left), 'x'), top],
        drag: { setScale: false },
        sync: { key: SYNC },
        points: { size: 8, width: 2, stroke: () => readColor('--ead-sheet'), fill: () => readColor(color) },
      },
      hooks: {
        setCursor: [
          ({ cursor: { idx, left }, over }) => {
            const isOutside = idx === null || idx === undefined || left === undefined || left < 0;
            onPoint(isOutside ? null : { index: idx, left: over.offsetLeft + left });
          },
        ],
      },
    },
    [values.map((_, index) => index), closed, open],
    target,
  );
}

/** The area fades out towards the axis. */
function fade({ ctx, bbox }: uPlot, color: string): CanvasGradient {
  const gradient = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
  gradient.addColorStop(0, withAlpha(color, 0.24));
  gradient.addColorStop(1, withAlpha(color, 0.02));
  return gradient;
}

/**
 * The color is resolved: `rgb(29, 79, 145)`. It is empty if the plot was removed before it is drawn, because the
 * library draws in a microtask, and a gradient would refuse it.
 */
function withAlpha(color: string, alpha: number): string {
  return color === '' ? 'transparent' : `rgb(from ${color} r g b / ${alpha})`;
}
