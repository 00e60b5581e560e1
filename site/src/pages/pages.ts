import type { ComponentType } from 'react';
import { NOT_FOUND_DESCRIPTION, NOT_FOUND_TITLE, SITE_DESCRIPTION, SITE_TITLE } from '../content/product.ts';
import { LandingPage } from './landing-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';

export interface Page {
  readonly name: 'landing' | 'not-found';
  /** The file it is prerendered to. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly Component: ComponentType;
}

const LANDING: Page = {
  name: 'landing',
  file: 'index.html',
  title: SITE_TITLE,
  description: SITE_DESCRIPTION,
  Component: LandingPage,
};

const NOT_FOUND: Page = {
  name: 'not-found',
  file: '404.html',
  title: NOT_FOUND_TITLE,
  description: NOT_FOUND_DESCRIPTION,
  Component: NotFoundPage,
};

export const PAGES: readonly Page[] = [LANDING, NOT_FOUND];

/** The routes (SPEC section 2). A static host may also serve the landing page under its file name. */
export function pageAt(pathname: string): Page {
  return pathname === '/' || pathname === `/${LANDING.file}` ? LANDING : NOT_FOUND;
}
