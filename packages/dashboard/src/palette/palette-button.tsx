import type { SessionResponse } from 'early-access-server/admin-api';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './palette-button.module.css';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

const isApple = /Mac|iP/.test(navigator.platform);

/** The key that types a K, even with Caps Lock; without Latin letters, the key at its position. */
const isKeyK = ({ key, code }: KeyboardEvent) => (/^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK');

interface PaletteButtonProps {
  readonly session: SessionResponse;
  readonly zone: string;
}

/** Opens the command palette, like Ctrl+K or ⌘K anywhere on the page. */
export function PaletteButton({ session, zone }: PaletteButtonProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      const isShortcut = (isApple ? event.metaKey : event.ctrlKey) && !event.shiftKey && !event.altKey;
      // Another dialog is open.
      if (!isShortcut || !isKeyK(event) || document.querySelector('[data-dialog]')) return;
      event.preventDefault();
      setOpen((open) => !open);
    };
    addEventListener('keydown', toggle);
    return () => removeEventListener('keydown', toggle);
  }, []);
  return (
    <>
      <Button
        className={styles.open}
        title="Search pages, people and actions"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden />
        <span>Search</span>
        <kbd aria-hidden>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      {isOpen && (
        <Suspense>
          <CommandPalette session={session} zone={zone} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
