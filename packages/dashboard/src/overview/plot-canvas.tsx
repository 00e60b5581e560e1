import { useEffect, useRef } from 'react';
import 'uplot/dist/uPlot.min.css';
import { type PlotOptions, plot } from './plot.ts';

/** Draws with the charting library. It is loaded separately, so that the rest of the page can be used earlier. */
export function PlotCanvas(options: PlotOptions) {
  const target = useRef<HTMLDivElement>(null);
  const { kind, color, height, unit, showsLabels, openIndex, labelsOpen, onPoint, onScale } = options;
  // The arrays are new at each render, so compare their contents.
  const data = JSON.stringify([options.labels, options.values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `data` stands for the labels and values, and `unit` for `format`
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    const chart = plot(element, options);
    const size = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    size.observe(element);
    const schemes = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query));
    const redraw = () => chart.redraw();
    for (const scheme of schemes) scheme.addEventListener('change', redraw);
    return () => {
      for (const scheme of schemes) scheme.removeEventListener('change', redraw);
      size.disconnect();
      chart.destroy();
      onPoint(null);
    };
  }, [data, kind, color, height, unit, showsLabels, openIndex, labelsOpen, onPoint, onScale]);
  return <div ref={target} />;
}
