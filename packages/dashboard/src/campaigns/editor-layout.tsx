import { type ReactNode, useState } from 'react';
import { ButtonChoice } from './button-choice.tsx';
import styles from './campaigns.module.css';

interface EditorLayoutProps {
  readonly preview: ReactNode;
  readonly children: ReactNode;
}

const VIEWS = [
  ['text', 'Text'],
  ['preview', 'Preview'],
] as const;

/** The text with the preview beside it. A narrow screen shows one of them at a time, and warnings with the text. */
export function EditorLayout({ preview, children }: EditorLayoutProps) {
  const [view, setView] = useState<(typeof VIEWS)[number][0]>('text');
  return (
    <div className={styles.editor} data-view={view}>
      <div className={styles.views}>
        <ButtonChoice label="View" options={VIEWS} chosen={view} onChoose={setView} />
      </div>
      <div className={styles.writing}>{children}</div>
      <div className={styles.preview}>{preview}</div>
    </div>
  );
}
