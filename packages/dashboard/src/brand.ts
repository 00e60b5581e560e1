import { useQuery } from '@tanstack/react-query';
import { type BrandResponse, brandTokens } from 'early-access-server/admin-api';
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

/** Sets the brand's custom properties. Uses the style object, because the page's policy allows no style attributes. */
function applyBrand(brand: Omit<BrandResponse, 'name'>, { style, dataset }: HTMLElement): void {
  const { light, dark, radius, face, family } = brandTokens(brand);
  for (const [part, property] of PARTS) style.setProperty(property, `light-dark(${light[part]}, ${dark[part]})`);
  style.setProperty('--ead-radius', `${radius.sheet}px`);
  style.setProperty('--ead-control-radius', `${radius.control}px`);
  if (brand.mark !== undefined) {
    style.setProperty('--ead-mark', `url("${brand.mark}")`);
    dataset.mark = '';
  }
  if (brand.font === undefined || face === null) return;
  style.setProperty('--ead-brand-font', `${family}system-ui, sans-serif`);
  const { path, weights: weight } = brand.font;
  document.fonts.add(new FontFace(face, `url("${path}") format("woff2")`, { weight, display: 'swap' }));
}

/** Null until loaded. The brand only affects looks, so the page is shown without it if loading fails. */
export function useBrand(api: AdminApi): BrandResponse | null {
  const { data, isPending } = useQuery({
    queryKey: ['brand'],
    queryFn: api.brand,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (data) applyBrand(data, document.documentElement);
  }, [data]);
  return isPending ? null : (data ?? { name: 'Early access', colors: {} });
}
