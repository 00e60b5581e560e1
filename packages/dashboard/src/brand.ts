import { useQuery } from '@tanstack/react-query';
import { type BrandResponse, derivePalettes } from 'early-access-server/admin-api';
import { useEffect } from 'react';
import type { AdminApi } from './api/admin-api.ts';

const PARTS = [
  ['paper', '--ead-paper'],
  ['sheet', '--ead-sheet'],
  ['line', '--ead-line'],
  ['ink', '--ead-ink'],
  ['muted', '--ead-muted'],
  ['inkOnPaper', '--ead-ink-on-paper'],
  ['mutedOnPaper', '--ead-muted-on-paper'],
  ['accent', '--ead-accent'],
  ['onAccent', '--ead-on-accent'],
  ['link', '--ead-link'],
] as const;

/**
 * Sets the brand's colors as custom properties. Through the style object, because the page's policy allows no style
 * attributes.
 */
function applyColors(colors: BrandResponse['colors'], { style }: HTMLElement): void {
  const { light, dark } = derivePalettes(colors);
  for (const [part, property] of PARTS) style.setProperty(property, `light-dark(${light[part]}, ${dark[part]})`);
}

/** The brand decides only looks, so a page without it is better than none. */
export function useBrand(api: AdminApi): BrandResponse | null {
  const { data, isPending } = useQuery({
    queryKey: ['brand'],
    queryFn: api.brand,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (data) applyColors(data.colors, document.documentElement);
  }, [data]);
  return isPending ? null : (data ?? { name: 'Early access', colors: {} });
}
