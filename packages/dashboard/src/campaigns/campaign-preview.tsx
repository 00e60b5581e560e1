import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import type { CampaignCheckResponse, CampaignExample } from 'early-access-server/admin-api';
import { useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { useRead } from '../api/use-read.ts';
import { upperFirst, withFullStop } from '../format/format.ts';
import ui from '../ui/ui.module.css';
import { ButtonChoice } from './button-choice.tsx';
import styles from './campaigns.module.css';

const LOOKS = {
  light: 'Email',
  phone: 'Phone',
  dark: 'Dark',
  text: 'Text',
} as const;
type Look = keyof typeof LOOKS;
const NAMES: readonly Look[] = ['light', 'phone', 'dark', 'text'];

interface StoredText {
  readonly id: string;
  readonly revision: string;
}

/** Checks whether the stored text can be sent, and returns its subject for two example recipients. */
export function useCampaignCheck(text: StoredText | null): UseQueryResult<CampaignCheckResponse> {
  return useRead<CampaignCheckResponse>(['campaigns', 'check', text], `/campaigns/${text?.id}/check`, {
    enabled: text !== null,
    placeholderData: keepPreviousData,
  });
}

interface CampaignPreviewProps {
  /** Null: nothing has been stored yet. */
  readonly text: StoredText | null;
  /** The form has fields besides the address. */
  readonly hasFields: boolean;
}

/** The stored draft as mail programs show it. The server renders it as a page without scripts for the frame. */
export function CampaignPreview({ text, hasFields }: CampaignPreviewProps) {
  const api = useApi();
  const [look, setLook] = useState<Look>('light');
  const [person, setPerson] = useState<CampaignExample>('person');
  const { data, error } = useCampaignCheck(text);
  const problem = error?.message ?? data?.problem ?? null;
  const example = data?.examples.find((each) => each.for === person);
  const as = look === 'phone' ? 'light' : look;
  return (
    <section className={ui.card} aria-label="Preview">
      <ButtonChoice label="Look" options={NAMES.map((name) => [name, LOOKS[name]])} chosen={look} onChoose={setLook} />
      {hasFields && (
        <ButtonChoice
          label="Person"
          options={(data?.examples ?? []).map(({ for: who, email }) => [
            who,
            who === 'empty' ? 'Someone with empty fields' : (email ?? 'Example person'),
          ])}
          chosen={person}
          onChoose={setPerson}
        />
      )}
      {text === null ? (
        <p className={`${ui.text} ${ui.hint}`}>Start writing to see a preview.</p>
      ) : problem !== null ? (
        <p role="alert" className={`${ui.text} ${ui.problem}`}>
          {withFullStop(upperFirst(problem))}
        </p>
      ) : (
        <>
          <Warnings warnings={data?.warnings ?? []} />
          <p className={`${ui.text} ${styles.subject}`}>{example?.subject || 'Without a subject'}</p>
          <iframe
            key={`${text.revision} ${as} ${person}`}
            className={`${styles.frame} ${look === 'phone' ? styles.phone : ''}`}
            title={`Preview: ${LOOKS[look]}`}
            sandbox=""
            src={api.frameUrl(
              `/campaigns/${text.id}/preview`,
              new URLSearchParams({ as, for: person, revision: text.revision }),
            )}
          />
        </>
      )}
    </section>
  );
}

/** Warns about differences between mail programs, which the frame cannot show. */
function Warnings({ warnings }: Pick<CampaignCheckResponse, 'warnings'>) {
  if (warnings.length === 0) return null;
  return (
    <div role="status" className={ui.text}>
      <p className={ui.text}>Check this before you send:</p>
      <ul className={styles.warnings}>
        {warnings.map((warning) => (
          <li key={warning}>{withFullStop(upperFirst(warning))}</li>
        ))}
      </ul>
    </div>
  );
}
