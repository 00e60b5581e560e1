import { useState } from 'react';
import { Link } from 'wouter';
import { type PageProps, pageHref } from '../shell/pages.ts';
import { PageHead } from '../ui/card.tsx';
import ui from '../ui/ui.module.css';
import { ImportFile } from './import-file.tsx';
import { PastImports } from './past-imports.tsx';

/** Imports people from a CSV after a preview of what would happen to each line. Also lists earlier imports. */
export function ImportPage({ zone }: PageProps) {
  const [files, setFiles] = useState(0);
  return (
    <>
      <PageHead title="Import people" subtitle="From another product, a spreadsheet, or an export of this list">
        <Link to={pageHref('people')} className={ui.button}>
          Back to People
        </Link>
      </PageHead>
      <div className={ui.stack}>
        <ImportFile key={files} zone={zone} onAgain={() => setFiles(files + 1)} />
        <PastImports zone={zone} />
      </div>
    </>
  );
}
