import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SharedLink } from '../core/adapter.ts';
import { useEarlyAccess } from '../provider.tsx';
import { canShare, copyLink, openShareDialog, readSharedLink } from './shared-link.ts';
import { findWatch } from './with-share.ts';

/** What `useShare` returns. */
export interface ShareState {
  /**
   * The visitor's own link. Undefined until they have signed up on this page, and if the server has no share links.
   */
  readonly link: SharedLink | undefined;
  /** The link was copied. */
  readonly copied: boolean;
  /** Copies the URL. Returns false if the browser does not allow it. */
  copy(): Promise<boolean>;
  /** Opens the browser's share dialog; undefined if it has none. */
  readonly share: (() => Promise<void>) | undefined;
}

/**
 * The link of a visitor who has just signed up, for your own markup. The provider's adapter must be created by
 * `withShare`.
 *
 * @example
 * const { link, copied, copy } = useShare();
 */
export function useShare(): ShareState {
  const { adapter, locale } = useEarlyAccess();
  const watch = findWatch(adapter);
  const signup = useSyncExternalStore(watch.subscribe, watch.current, watch.current);
  const [link, setLink] = useState<SharedLink>();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!signup) return;
    let isCurrent = true;
    readSharedLink(adapter, signup, locale).then((found) => {
      if (!isCurrent) return;
      setLink(found);
      setCopied(false);
    });
    return () => {
      isCurrent = false;
    };
  }, [adapter, signup, locale]);

  return {
    link,
    copied,
    async copy() {
      const done = link !== undefined && (await copyLink(link));
      setCopied(done);
      return done;
    },
    share: link && canShare() ? () => openShareDialog(link) : undefined,
  };
}
