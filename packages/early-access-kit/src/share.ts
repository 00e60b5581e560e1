'use client';

export type { SharedLink, StorageAdapter } from './core/adapter.ts';
export { ShareLink, type ShareLinkProps } from './share/share-link.tsx';
export { type ShareState, useShare } from './share/use-share.ts';
export { withShare } from './share/with-share.ts';
