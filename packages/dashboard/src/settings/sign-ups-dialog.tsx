import type { ListStatusResponse } from 'early-access-server/admin-api';
import { useRef, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { upperFirst } from '../format/format.ts';
import { Choice } from '../ui/choice.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { AS_TYPED, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';

const MODES = [
  ['open', 'Open'],
  ['paused', 'Paused'],
  ['closed', 'Closed'],
] as const;

/** The server's name of each field, and the form's label. */
const NAMES = [
  ['closes', 'The time'],
  ['max_people', 'Places'],
  ['message', 'The message'],
  ['link_url', 'The link'],
  ['link_text', 'The link text'],
] as const;

interface SignUpsDialogProps {
  readonly status: ListStatusResponse;
  readonly zone: string;
  readonly onClose: () => void;
}

export function SignUpsDialog({ status: { status, closed }, zone, onClose }: SignUpsDialogProps) {
  const first = useRef<HTMLInputElement>(null);
  // The closing time has passed. The list stays closed until an admin opens it, even if they only edit a text.
  const isOver = closed === 'closed' && status.mode === 'open';
  const [mode, setMode] = useState(isOver ? 'closed' : status.mode);
  const [closes, setCloses] = useState(isOver ? '' : toLocal(status.closes_at, zone));
  const [places, setPlaces] = useState(status.max_people === null ? '' : String(status.max_people));
  const [message, setMessage] = useState(status.message ?? '');
  const [url, setUrl] = useState(status.link_url ?? '');
  const [linkText, setLinkText] = useState(status.link_text ?? '');
  const [takesRequests, setTakesRequests] = useState(status.takes_requests);
  const save = useAction(
    (api) =>
      api.post<ListStatusResponse>('/list-status', {
        mode,
        closes: closes === '' ? null : closes,
        zone,
        // Invalid numbers are sent unchanged, so that the server explains the error.
        max_people: places.trim() === '' ? null : /^\d{1,9}$/.test(places.trim()) ? Number(places) : 0,
        message,
        link_url: url,
        link_text: linkText,
        takes_requests: takesRequests,
      }),
    {
      refreshes: [['list-status']],
      done: (now) => (now.closed === null ? 'The list is open.' : `The list is ${now.closed}.`),
      onDone: onClose,
      showsError: true,
    },
  );
  const problem = save.error && NAMES.reduce((text, [field, name]) => text.replace(field, name), save.error.message);
  const field = { 'aria-describedby': 'sign-ups-problem' };
  return (
    <FormDialog
      title="Signups"
      action={save.isPending ? 'Saving…' : 'Save'}
      busy={save.isPending}
      problem={problem && upperFirst(problem)}
      problemId="sign-ups-problem"
      initialFocus={first}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Choice label="The list is" value={mode} options={MODES} onChoose={setMode} />
      <TextField ref={first} label="Close it at" type="datetime-local" value={closes} onChange={setCloses} {...field}>
        <span className={ui.hint}>{`Leave empty to keep it open. Time zone: ${zone}. Change it under Settings.`}</span>
      </TextField>
      <TextField label="Places" inputMode="numeric" value={places} onChange={setPlaces} {...field}>
        <span className={ui.hint}>
          The list is full at this number. People who leave make room. Leave empty for no limit.
        </span>
      </TextField>
      <label className={ui.field}>
        Message to visitors while nobody can sign up
        <textarea
          className={ui.input}
          rows={3}
          value={message}
          onChange={({ target }) => setMessage(target.value.replaceAll('\n', ' '))}
          {...field}
        />
        <span className={ui.hint}>Leave empty for the built-in text in their language.</span>
      </label>
      <TextField
        label="Link to another page"
        type="url"
        placeholder="https://"
        value={url}
        onChange={setUrl}
        {...field}
        {...AS_TYPED}
      />
      <TextField label="Link text" value={linkText} onChange={setLinkText} {...field} />
      <label className={ui.row}>
        <input type="checkbox" checked={takesRequests} onChange={({ target }) => setTakesRequests(target.checked)} />
        <span>
          Save addresses entered while the list is closed
          <br />
          <span className={ui.hint}>Visitors are told that you will email them when the list opens.</span>
        </span>
      </label>
    </FormDialog>
  );
}

/** `2026-12-01T09:00` in the zone. */
function toLocal(time: number | null, zone: string): string {
  if (time === null) return '';
  // The Swedish date format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(time).replace(' ', 'T');
}
