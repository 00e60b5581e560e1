import type { CampaignContent, ShownField } from 'early-access-server/admin-api';
import { MAX_CAMPAIGN_BODY, MAX_CAMPAIGN_SUBJECT } from 'early-access-server/admin-pages';
import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';

interface TextFieldsProps {
  readonly content: CampaignContent;
  readonly fields: readonly ShownField[];
  readonly onChange: (part: Partial<CampaignContent>) => void;
}

/** The subject and the text, with a button for each form field that inserts its placeholder at the cursor. */
export function TextFields({ content: { subject, body }, fields, onChange }: TextFieldsProps) {
  const subjectInput = useRef<HTMLInputElement>(null);
  const bodyInput = useRef<HTMLTextAreaElement>(null);
  const last = useRef<'subject' | 'body' | null>(null);

  const choice = fields.find(({ choices }) => choices.some(({ value, label }) => value !== label));

  function insert(name: string): void {
    const part = last.current ?? 'body';
    const input = part === 'subject' ? subjectInput.current : bodyInput.current;
    if (!input) return;
    // An input that has never had the focus has its cursor at the start.
    const [start, end] = last.current ? [input.selectionStart, input.selectionEnd] : [];
    input.setRangeText(`{{fields.${name}}}`, start ?? input.value.length, end ?? input.value.length, 'end');
    onChange({ [part]: input.value });
    input.focus();
  }

  return (
    <>
      <label className={ui.field}>
        Subject
        <input
          ref={subjectInput}
          className={ui.input}
          value={subject}
          maxLength={MAX_CAMPAIGN_SUBJECT}
          onFocus={() => {
            last.current = 'subject';
          }}
          onChange={({ target }) => onChange({ subject: target.value })}
        />
      </label>
      <label className={ui.field}>
        Text
        <textarea
          ref={bodyInput}
          className={`${ui.input} ${styles.text}`}
          value={body}
          maxLength={MAX_CAMPAIGN_BODY}
          onFocus={() => {
            last.current = 'body';
          }}
          onChange={({ target }) => onChange({ body: target.value })}
        />
        <span className={ui.hint}>
          Markdown: # heading, **bold**, [link](https://…), lists. The link to unsubscribe is added.
        </span>
      </label>
      {fields.length > 0 && (
        <fieldset className={styles.fields}>
          <legend>Insert a field</legend>
          <div className={ui.row}>
            {fields.map(({ name, label }) => (
              <Button key={name} className={styles.insert} title={`{{fields.${name}}}`} onClick={() => insert(name)}>
                {label}
              </Button>
            ))}
          </div>
          {choice && (
            <span className={ui.hint}>
              {`{{fields.${choice.name}}} is the label of the choice, {{fields.${choice.name}.value}} its stored value.`}
            </span>
          )}
          <span className={ui.hint}>
            {`For people without a value: {{^fields.${fields[0]?.name}}}there{{/fields.${fields[0]?.name}}}`}
          </span>
        </fieldset>
      )}
    </>
  );
}
