import { AUDIT_FILTERS } from './audit-filters.ts';
import { BULK_TABLES } from './bulk.ts';
import { COMPLAINT_COLUMNS } from './complaints.ts';
import { COUNTRY_COLUMNS } from './countries.ts';
import { IMPORT_TABLES } from './imports.ts';
import { LABEL_COLUMNS } from './labels.ts';
import { LIST_STATUS_TABLES } from './list-status.ts';
import { MAILBOX_COLUMNS } from './mailboxes.ts';
import { SERIES_COLUMNS } from './series.ts';
import { SHARE_COLUMNS } from './share.ts';
import { TEAM_TABLES } from './team.ts';
import { WEBHOOK_NAMES } from './webhook-names.ts';

/** The steps that are written separately for each database. */
interface OwnSteps {
  /** Searches also find field values. */
  readonly searchedFields: string;
  /** Traffic sources are looked up by country as well. */
  readonly countriesIndex: string;
}

/** The steps from version 1 to 2 and so on, in order. A published step is never edited: every change is a new step. */
export function laterSchema({ searchedFields, countriesIndex }: OwnSteps): readonly string[] {
  return [
    IMPORT_TABLES,
    MAILBOX_COLUMNS,
    SHARE_COLUMNS,
    LIST_STATUS_TABLES,
    WEBHOOK_NAMES,
    COMPLAINT_COLUMNS,
    searchedFields,
    TEAM_TABLES,
    LABEL_COLUMNS,
    BULK_TABLES,
    SERIES_COLUMNS,
    COUNTRY_COLUMNS + countriesIndex,
    AUDIT_FILTERS,
  ];
}
