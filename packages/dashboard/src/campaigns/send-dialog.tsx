import type { CampaignContent } from 'early-access-server/admin-api';
import { MAX_AFTER_DAYS } from 'early-access-server/admin-pages';
import { type FormEvent, useRef, useState } from 'react';
import { formatCount, upperFirst, withFullStop } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';

const WHEN = [
  ['now', 'Now'],
  ['later', 'Later'],
] as const;

const LATER =
  'Each person gets it once. Recipients are determined when sending starts. Until then, you can unschedule and edit it.';

interface SendDialogProps {
  readonly subject: CampaignContent['subject'];
  /** The number of recipients; null for a follow-up, whose recipients are not known yet. */
  readonly people: number | null;
  readonly zone: string;
  readonly busy: boolean;
  readonly error: Error | null;
  /** Describes the effect of sending now, or after the follow-up's days. */
  readonly children: string;
  /** `at`: a local time in the zone, such as `2026-12-01T09:00`; null: now, or after the follow-up's days. */
  readonly onSend: (at: string | null) => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before an email is sent to many people, and when to send it. The focus is on "Cancel". */
export function SendDialog({ subject, people, zone, busy, error, children, onSend, onClose }: SendDialogProps) {
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [at, setAt] = useState('');
  const back = useRef<HTMLButtonElement>(null);
  const isLater = when === 'later';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend(isLater ? at : null);
  };
  const title =
    people === null ? `Schedule “${subject}”?` : `Send “${subject}” to ${formatCount(people, 'person', 'people')}?`;
  return (
    <Dialog title={title} open onClose={onClose} initialFocus={back}>
      <form onSubmit={submit} className={ui.stack}>
        <p className={ui.text}>{isLater ? LATER : children}</p>
        {people !== null && (
          <fieldset className={styles.when}>
            <legend>When</legend>
            {WHEN.map(([value, text]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="when"
                  value={value}
                  checked={when === value}
                  onChange={() => setWhen(value)}
                />
                {text}
              </label>
            ))}
          </fieldset>
        )}
        {isLater && (
          <label className={ui.field}>
            Date and time
            <input
              type="datetime-local"
              className={ui.input}
              value={at}
              required
              aria-describedby="send-zone"
              onChange={({ target }) => setAt(target.value)}
            />
            <span id="send-zone" className={ui.hint}>
              {`Time zone: ${zone}. Change it under Settings.`}
            </span>
          </label>
        )}
        {error && (
          <p role="alert" className={ui.problem}>
            {withFullStop(upperFirst(error.message))}
          </p>
        )}
        <DialogActions>
          <Button ref={back} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            {isLater || people === null ? 'Schedule' : 'Start sending'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const DEFAULT_DAYS = 7;

interface FollowUpDialogProps {
  readonly subject: string;
  /** The days of an existing follow-up; null for a new one. */
  readonly days: number | null;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSave: (days: number) => void;
  readonly onClose: () => void;
}

/** Asks after how many days a follow-up is sent. */
export function FollowUpDialog({ subject, days, busy, error, onSave, onClose }: FollowUpDialogProps) {
  const [chosen, setChosen] = useState(days ?? DEFAULT_DAYS);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title={`Follow up on “${subject}”`} open onClose={onClose} initialFocus={field}>
      <form
        className={ui.stack}
        onSubmit={(event) => {
          event.preventDefault();
          onSave(chosen);
        }}
      >
        <p className={ui.text}>A second email to people who got this one, were invited, and have not joined by then.</p>
        <label className={ui.field}>
          Days after the last email
          <input
            ref={field}
            type="number"
            className={ui.input}
            min={1}
            max={MAX_AFTER_DAYS}
            required
            value={Number.isNaN(chosen) ? '' : chosen}
            onChange={({ target }) => setChosen(target.valueAsNumber)}
          />
        </label>
        {error && (
          <p role="alert" className={ui.problem}>
            {withFullStop(upperFirst(error.message))}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {days === null ? 'Write email' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
