import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  EVENT_TYPES,
  type EventType,
  type NewWebhookResponse,
  WEBHOOK_FORMATS,
  type WebhookWithoutSecret,
} from 'early-access-server/admin-api';
import { type FormEvent, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { upperFirst } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Checklist } from '../ui/checklist.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { EVENT_NAMES, FORMAT_NAMES, guessFormat } from './names.ts';

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
  const format = chosenFormat ?? guessFormat(url.trim());
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
  if (save.data && save.data.webhook.format === 'json') {
    return (
      <SecretDialog title="The endpoint was added" label="Secret" secret={save.data.secret} onClose={onClose}>
        Your receiver verifies requests with this secret, as the Standard Webhooks specification says.
      </SecretDialog>
    );
  }
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
        <Checklist legend="Events" options={EVENT_TYPES} chosen={events} onChange={setEvents}>
          {(type) => (
            <>
              {EVENT_NAMES[type]} <code className={ui.hint}>{type}</code>
            </>
          )}
        </Checklist>
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
