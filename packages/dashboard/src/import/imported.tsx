import type { ImportReport } from 'early-access-server/admin-api';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import ui from '../ui/ui.module.css';
import { Outcome } from './outcome.tsx';
import { UndoDialog } from './undo-dialog.tsx';

interface ImportedProps {
  readonly report: ImportReport;
  readonly name: string;
  readonly onAgain: () => void;
}

export function Imported({ report, name, onAgain }: ImportedProps) {
  const [isUndoing, setUndoing] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  // The control that had the focus was removed, so the result gets it.
  useLayoutEffect(() => card.current?.querySelector('h2')?.focus(), []);
  const { import_id: id } = report;
  return (
    <div ref={card}>
      <Card title={`Imported ${name}`}>
        <div className={ui.stack}>
          <div role="status">
            <Outcome report={report} verbs={['was', 'were']} />
          </div>
          <div className={ui.row}>
            {id !== null && (
              <>
                <Link to={peopleOfImport(id)} className={`${ui.button} ${ui.primary}`}>
                  Show these people
                </Link>
                <Button look="danger" onClick={() => setUndoing(true)}>
                  Undo this import…
                </Button>
              </>
            )}
            <Button onClick={onAgain}>Import another file</Button>
          </div>
        </div>
      </Card>
      {isUndoing && id !== null && (
        <UndoDialog id={id} name={name} onClose={() => setUndoing(false)} onDone={onAgain} />
      )}
    </div>
  );
}

/** Returns the link to the list of an import's people. */
export function peopleOfImport(id: string): string {
  return `?page=people&import=${id}`;
}
