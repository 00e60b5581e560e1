import type { ImportRecord } from 'early-access-server/admin-api';
import { useState } from 'react';
import { Link } from 'wouter';
import { formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { useImports } from '../segments/use-segments.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import ui from '../ui/ui.module.css';
import styles from './import.module.css';
import { peopleOfImport } from './imported.tsx';
import { UndoDialog } from './undo-dialog.tsx';

/** The imports that added people, each with a link to them and a button to undo it. */
export function PastImports({ zone }: { readonly zone: string }) {
  const imports = useImports();
  const [undone, setUndone] = useState<ImportRecord | null>(null);
  if (imports === undefined || imports.length === 0) return null;
  return (
    <Card title="Past imports">
      <ul className={ui.list}>
        {imports.map((file) => {
          const { id, name, created_at, added, people } = file;
          const title = name || 'Unnamed file';
          return (
            <li key={id} className={ui.entry}>
              <div>
                <p className={`${ui.text} ${styles.person}`}>
                  <b>{title}</b>
                </p>
                <p className={`${ui.text} ${ui.hint}`}>
                  {`${formatDateTime(created_at, zone)}, ${formatCount(added, 'person', 'people')} added`}
                  {people < added && `, ${people === 0 ? 'all' : formatNumber(added - people)} erased since`}
                </p>
              </div>
              {people > 0 && (
                <div className={ui.row}>
                  <Link to={peopleOfImport(id)} className={ui.button} aria-label={`Show people of ${title}`}>
                    Show people
                  </Link>
                  <Button look="danger" aria-label={`Undo ${title}…`} onClick={() => setUndone(file)}>
                    Undo…
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {undone && (
        <UndoDialog id={undone.id} name={undone.name} onClose={() => setUndone(null)} onDone={() => setUndone(null)} />
      )}
    </Card>
  );
}
