import { useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';

const LOOKS = {
  light: 'Email',
  phone: 'Phone',
  dark: 'Dark',
  text: 'Text',
} as const;
type Look = keyof typeof LOOKS;
const NAMES: readonly Look[] = ['light', 'phone', 'dark', 'text'];

interface CampaignPreviewProps {
  /** Null: nothing is stored yet. */
  readonly id: string | null;
  /** Increases with every change that is stored. */
  readonly version: number;
}

/** The stored draft as mail programs show it. The server sends it as a page without scripts, for a frame. */
export function CampaignPreview({ id, version }: CampaignPreviewProps) {
  const api = useApi();
  const [look, setLook] = useState<Look>('light');
  const as = look === 'phone' ? 'light' : look;
  return (
    <section className={ui.card} aria-label="Preview">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has its own look */}
      <div role="group" aria-label="Look" className={`${ui.row} ${styles.looks}`}>
        {NAMES.map((name) => (
          <Button
            key={name}
            {...(name === look ? {} : { look: 'quiet' as const })}
            aria-pressed={name === look}
            onClick={() => setLook(name)}
          >
            {LOOKS[name]}
          </Button>
        ))}
      </div>
      {id === null ? (
        <p className={`${ui.text} ${ui.hint}`}>The email is shown here as soon as you write.</p>
      ) : (
        <iframe
          key={`${version} ${as}`}
          className={`${styles.frame} ${look === 'phone' ? styles.phone : ''}`}
          title={`Preview: ${LOOKS[look]}`}
          sandbox=""
          src={api.frameUrl(`/campaigns/${id}/preview`, new URLSearchParams({ as, version: String(version) }))}
        />
      )}
    </section>
  );
}
