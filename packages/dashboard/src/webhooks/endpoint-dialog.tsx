import {
  EVENT_TYPES,
  type EventType,
  MAX_WEBHOOK_NAME,
  type NewWebhookResponse,
  WEBHOOK_FORMATS,
  type WebhookWithoutSecret,
} from 'early-access-server/admin-api';
import { useRef, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { upperFirst } from '../format/format.ts';
import { Checklist } from '../ui/checklist.tsx';
import { Choice } from '../ui/choice.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { AS_TYPED, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { EVENT_NAMES, FORMAT_NAMES, guessFormat } from './names.ts';

interface EndpointDialogProps {
  /** Null for a new endpoint. */
  readonly webhook: WebhookWithoutSecret | null;
  readonly onClose: () => void;
}

/** Adds or changes an endpoint. The secret of a new one is shown once. */
export function EndpointDialog({ webhook, onClose }: EndpointDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [name, setName] = useState(webhook === null || isHost(webhook) ? '' : webhook.name);
  /** Null: derived from the URL. */
  const [chosenFormat, setFormat] = useState(webhook?.format ?? null);
  const [events, setEvents] = useState<readonly EventType[]>(webhook?.events ?? EVENT_TYPES);
  const format = chosenFormat ?? guessFormat(url.trim());
  const save = useAction(
    (api): Promise<NewWebhookResponse | null> =>
      api.post(webhook === null ? '/webhooks' : `/webhooks/${webhook.id}`, { name, url: url.trim(), format, events }),
    {
      refreshes: [['webhooks']],
      done: (added) => (hasSecret(added) ? undefined : added ? 'Endpoint added.' : 'Saved.'),
      onDone: (added) => !hasSecret(added) && onClose(),
      showsError: true,
    },
  );
  if (save.data && hasSecret(save.data)) {
    return (
      <SecretDialog title="Endpoint added" label="Secret" secret={save.data.secret} onClose={onClose}>
        Use this secret to verify requests, as described in the Standard Webhooks specification.
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={webhook === null ? 'Add endpoint' : 'Edit endpoint'}
      action={save.isPending ? 'Saving…' : webhook === null ? 'Add' : 'Save'}
      busy={save.isPending}
      problem={save.error && upperFirst(save.error.message)}
      problemId="endpoint-problem"
      initialFocus={field}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        ref={field}
        label="URL"
        type="url"
        value={url}
        placeholder="https://example.com/hooks"
        aria-invalid={save.isError}
        aria-describedby="endpoint-problem"
        onChange={setUrl}
        {...AS_TYPED}
      />
      <TextField
        label="Name (optional)"
        value={name}
        maxLength={MAX_WEBHOOK_NAME}
        placeholder={URL.parse(url.trim())?.host ?? ''}
        aria-describedby="endpoint-problem"
        onChange={setName}
      />
      <Choice
        label="Format"
        value={format}
        options={WEBHOOK_FORMATS.map((known) => [known, FORMAT_NAMES[known]])}
        onChoose={setFormat}
      />
      <Checklist legend="Events" options={EVENT_TYPES} chosen={events} onChange={setEvents}>
        {(type) => (
          <>
            {EVENT_NAMES[type]} <code className={ui.hint}>{type}</code>
          </>
        )}
      </Checklist>
    </FormDialog>
  );
}

/** Returns whether the endpoint's name is only its host, which follows the URL. */
function isHost({ name, url }: WebhookWithoutSecret): boolean {
  return name === new URL(url).host;
}

/** Returns whether a new endpoint's secret has to be shown. Chat services do not verify signatures. */
function hasSecret(added: NewWebhookResponse | null): added is NewWebhookResponse {
  return added?.webhook.format === 'json';
}
