import type { ComponentType } from 'react';
import { NOT_FOUND_DESCRIPTION, NOT_FOUND_TITLE, SITE_DESCRIPTION, SITE_TITLE } from '../content/product.ts';
import { LandingPage } from './landing-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { isLandingPath } from './paths.ts';

export interface Page {
  readonly name: 'landing' | 'not-found';
  /** The name of the prerendered file. */
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

export function findPage(pathname: string): Page {
  return isLandingPath(pathname) ? LANDING : NOT_FOUND;
}
