import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  EVENT_TYPES,
  type EventType,
  type NewWebhookResponse,
  WEBHOOK_FORMATS,
  type WebhookWithoutSecret,
} from 'early-access-server/admin-api';
import { Copy } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useApi } from '../api/api-context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { EVENT_NAMES, FORMAT_NAMES, formatOf } from './names.ts';
import styles from './webhooks.module.css';

interface EndpointDialogProps {
  /** Null: a new endpoint. */
  readonly webhook: WebhookWithoutSecret | null;
  readonly onClose: () => void;
}

/** Adds or changes an endpoint. The secret of a new one is shown here, and never again. */
export function EndpointDialog({ webhook, onClose }: EndpointDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const field = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState(webhook?.url ?? '');
  /** Null: as the URL suggests. */
  const [chosenFormat, setFormat] = useState(webhook?.format ?? null);
  const [events, setEvents] = useState<readonly EventType[]>(webhook?.events ?? EVENT_TYPES);
  const format = chosenFormat ?? formatOf(url.trim());
  const save = useMutation({
    mutationFn: () => {
      const endpoint = { url: url.trim(), format, events };
      return webhook === null
        ? api.post<NewWebhookResponse>('/webhooks', endpoint)
        : api.post<null>(`/webhooks/${webhook.id}`, endpoint);
    },
    onSuccess: (added) => {
      // Chats know no signature.
      if (added?.webhook.format === 'json') return;
      notify.done(added ? 'The endpoint was added.' : 'Saved.');
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  if (save.data && save.data.webhook.format === 'json') return <SecretDialog {...save.data} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <Dialog
      title={webhook === null ? 'Add an endpoint' : 'Edit the endpoint'}
      open
      onClose={onClose}
      initialFocus={field}
    >
      <form className={ui.stack} onSubmit={submit} noValidate>
        <label className={ui.field}>
          URL
          <input
            ref={field}
            className={ui.input}
            type="url"
            value={url}
            placeholder="https://example.com/hooks"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={save.isError}
            aria-describedby="endpoint-problem"
            onChange={({ target }) => setUrl(target.value)}
          />
        </label>
        <label className={ui.field}>
          Format
          <select
            className={ui.input}
            value={format}
            onChange={({ target }) => setFormat(WEBHOOK_FORMATS.find((known) => known === target.value) ?? null)}
          >
            {WEBHOOK_FORMATS.map((known) => (
              <option key={known} value={known}>
                {FORMAT_NAMES[known]}
              </option>
            ))}
          </select>
        </label>
        <fieldset className={styles.events}>
          <legend>Events</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} className={styles.event}>
              <input
                type="checkbox"
                checked={events.includes(type)}
                onChange={({ target }) =>
                  setEvents(EVENT_TYPES.filter((known) => (known === type ? target.checked : events.includes(known))))
                }
              />
              <span>
                {EVENT_NAMES[type]} <code className={ui.hint}>{type}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <p role="alert" id="endpoint-problem" className={`${ui.text} ${ui.problem}`}>
          {save.error && upperFirst(save.error.message)}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {save.isPending ? 'Saving…' : webhook === null ? 'Add' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The server's messages begin as its other errors do, in lower case. */
function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function SecretDialog({ secret, onClose }: NewWebhookResponse & { readonly onClose: () => void }) {
  const notify = useNotify();
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      notify.done('Copied.');
    } catch {
      // Without the permission, or on plain http.
      field.current?.select();
      notify.done('It is selected: copy it with the keyboard.');
    }
  };
  return (
    <Dialog title="The endpoint was added" open onClose={onClose}>
      <p className={ui.text}>
        Your receiver verifies requests with this secret, as the Standard Webhooks specification says. Store it now:{' '}
        <b>it is not shown again.</b>
      </p>
      <label className={ui.field}>
        Secret
        <input ref={field} className={`${ui.input} ${styles.secret}`} readOnly value={secret} />
      </label>
      <DialogActions>
        <Button onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
