import uPlot from 'uplot';
import { axisSteps } from './axis-steps.ts';
import { layOutDots, stackDots } from './dots.ts';
import type { Measure } from './figures.ts';

/** A line, or dots for people, over the buckets. The chart's two panels share their cursor. */
export interface PlotOptions {
  readonly kind: 'line' | 'dots';
  readonly color: string;
  readonly height: number;
  /** Determines the steps of the axis. */
  readonly unit: Measure;
  readonly labels: readonly string[];
  /** Only the lower panel labels the buckets. */
  readonly showsLabels: boolean;
  readonly values: readonly (number | null)[];
  /** The bucket that is still in progress, which is drawn hollow; -1: none. */
  readonly openIndex: number;
  readonly labelsOpen: boolean;
  readonly format: (value: number) => string;
  readonly onPoint: (point: { readonly index: number; readonly left: number } | null) => void;
  /** Called with the number of people per dot each time dots are drawn. */
  readonly onScale: (people: number) => void;
}

const AXIS_WIDTH = 46;
/** Space beside the last bucket, because its label is centered on it. */
const RIGHT = 14;
const SYNC = 'overview';
/** Minimum pixels per label of the number axis. */
const ROOM = 40;
/** Width of a stack: its share of the bucket, and its maximum in pixels. */
const STACK = { share: 0.7, widest: 32 };
const OPEN_LABEL = 'so far';
/** Labels are at whole buckets only. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 9 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b);

export function plot(target: HTMLElement, options: PlotOptions): uPlot {
  const { kind, color, height, labels, unit, showsLabels, values, openIndex, labelsOpen, format, onPoint, onScale } =
    options;
  const readColor = (name: string) => getComputedStyle(target).getPropertyValue(name);
  const font = `12px ${getComputedStyle(target).fontFamily}`;
  const axis = { font, stroke: () => readColor('--ead-muted'), ticks: { show: false } };
  const steps = axisSteps(Math.max(0, ...values.map(Number)), unit, Math.floor(height / ROOM));
  const highest = steps.at(-1) ?? 1;
  const closed = values.map((value, index) => (index === openIndex ? null : value));
  const open = values.map((value, index) => (index === openIndex ? value : null));
  const spline = uPlot.paths.spline?.();
  const stack = stackPaths({ highest, buckets: values.length, onScale });
  const isLine = kind === 'line';
  const shared = { stroke: () => readColor(color), width: 2 };
  return new uPlot(
    {
      width: target.clientWidth,
      height,
      padding: [8, RIGHT, showsLabels ? 0 : 4, 0],
      legend: { show: false },
      scales: {
        x: {
          time: false,
          // Independent of the previous range, which would grow each time the window is resized.
          range: () => [-0.5, values.length - 0.5],
        },
        y: { range: () => [0, highest] },
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
          ...(isLine ? spline && { paths: spline } : { width: 0, paths: stack }),
          fill: (self) => (isLine ? fade(self, readColor(color)) : readColor(color)),
          points: {
            show: isLine && closed.filter((value) => value !== null).length <= 2,
            size: 7,
            fill: () => readColor(color),
          },
        },
        {
          ...shared,
          ...(isLine ? {} : { width: 1, paths: stack }),
          points: { show: isLine, size: 9, width: 2, fill: () => readColor('--ead-sheet') },
        },
      ],
      cursor: {
        y: false,
        // The cursor snaps to buckets, because there is nothing between them.
        move: (self, left, top) => [left < 0 ? left : self.valToPos(self.posToIdx(left), 'x'), top],
        drag: { setScale: false },
        sync: { key: SYNC },
        points: { size: 8, width: 2, stroke: () => readColor('--ead-sheet'), fill: () => readColor(color) },
      },
      hooks: {
        draw: [
          (self) => {
            const value = values[openIndex];
            if (!labelsOpen || value === undefined || value === null) return;
            labelOpen(self, [openIndex, value], font, [readColor('--ead-muted'), readColor('--ead-sheet')]);
          },
        ],
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

interface Stacks {
  readonly highest: number;
  readonly buckets: number;
  readonly onScale: (people: number) => void;
}

/** Draws each value as a stack of dots. */
function stackPaths({ highest, buckets, onScale }: Stacks): uPlot.Series.PathBuilder {
  return (self, series, from, to) => {
    const ratio = uPlot.pxRatio;
    const width = Math.min((self.bbox.width / ratio / buckets) * STACK.share, STACK.widest);
    const layout = layOutDots({ width, height: self.bbox.height / ratio, highest });
    const path = new Path2D();
    const lineWidth = self.series[series]?.width ?? 0;
    const bottom = self.valToPos(0, 'y', true);
    for (let index = from; index <= to; index += 1) {
      const middle = self.valToPos(index, 'x', true);
      for (const dot of stackDots(self.data[series]?.[index] ?? 0, layout)) {
        const [x, y] = [middle + dot.x * ratio, bottom + dot.y * ratio];
        // A hollow dot has the same outer size as a filled one.
        const radius = Math.max(0.5, dot.radius - lineWidth / 2) * ratio;
        path.moveTo(x + radius, y);
        path.arc(x, y, radius, 0, 2 * Math.PI);
      }
    }
    onScale(layout.people);
    return { stroke: path, fill: path };
  };
}

/** Labels the bucket in progress: above it, within the plot, and readable on top of the line. */
function labelOpen(
  self: uPlot,
  [index, value]: readonly [index: number, value: number],
  font: string,
  [ink, halo]: readonly [ink: string, halo: string],
): void {
  const { ctx, bbox } = self;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.font = font.replace(/^\d+/, (size) => String(Number(size) * ratio));
  const half = ctx.measureText(OPEN_LABEL).width / 2;
  const right = bbox.left + bbox.width + RIGHT * ratio - half;
  const x = Math.min(right, Math.max(bbox.left + half, self.valToPos(index, 'x', true)));
  const y = Math.max(bbox.top + 8 * ratio, self.valToPos(value, 'y', true) - 16 * ratio);
  Object.assign(ctx, { textAlign: 'center', textBaseline: 'middle', lineJoin: 'round' });
  Object.assign(ctx, { lineWidth: 4 * ratio, strokeStyle: halo, fillStyle: ink });
  ctx.strokeText(OPEN_LABEL, x, y);
  ctx.fillText(OPEN_LABEL, x, y);
  ctx.restore();
}

/** A gradient that fades toward the axis. */
function fade({ ctx, bbox }: uPlot, color: string): CanvasGradient {
  const gradient = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
  gradient.addColorStop(0, withAlpha(color, 0.24));
  gradient.addColorStop(1, withAlpha(color, 0.02));
  return gradient;
}

/**
 * `color` is a computed one: `rgb(29, 79, 145)`. It is empty if the plot was removed before the library drew it in a
 * microtask, and a gradient throws if it gets an empty color.
 */
function withAlpha(color: string, alpha: number): string {
  return color === '' ? 'transparent' : `rgb(from ${color} r g b / ${alpha})`;
}
