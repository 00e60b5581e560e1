import { randomBytes } from 'node:crypto';
import { ATTRIBUTION_FIELDS, type SignupFields } from 'early-access-kit/internal';
import { Webhook as Signature } from 'standardwebhooks';
import type { Person } from '../people/people.ts';
import type { Webhook } from '../ports/webhook-store.ts';
import type { WebhookRequest } from '../ports/webhook-transport.ts';
import type { EventType, ListEvent } from './events.ts';

/** Creates a secret in the format of the Standard Webhooks specification. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** An event, or a test event that the admin sends. */
export type SentEvent = Omit<ListEvent, 'type'> & { readonly type: EventType | 'test' };

/** The request for one attempt. `person` is their current state, or null if they were erased. */
export function webhookRequest(
  { url, secret, format }: Pick<Webhook, 'url' | 'secret' | 'format'>,
  event: SentEvent,
  person: Person | null,
  now: number,
): WebhookRequest {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'early-access-server' };
  if (format === 'slack') return { url, headers, body: JSON.stringify({ text: escapeSlack(sentence(event, person)) }) };
  if (format === 'discord') {
    const content = escapeDiscord(sentence(event, person));
    return { url, headers, body: JSON.stringify({ content, allowed_mentions: { parse: [] } }) };
  }
  const { type, at, id } = event;
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: createData(event.person, person) });
  const sentAt = new Date(now);
  return {
    url,
    body,
    headers: {
      ...headers,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1_000)),
      'webhook-signature': new Signature(secret).sign(id, sentAt, body),
    },
  };
}

/** Contains only fields that receivers may rely on. JSON omits undefined values. */
function createData(id: string, person: Person | null): Record<string, unknown> {
  if (person === null) return { id };
  const { email, state, source, referrer, created_at, fields } = person;
  return {
    id,
    email,
    state,
    source,
    referrer,
    created_at: new Date(created_at).toISOString(),
    ...Object.fromEntries(ATTRIBUTION_FIELDS.map((field) => [field, person[field]])),
    fields,
  };
}

const SENTENCES: Readonly<Record<SentEvent['type'], string>> = {
  'signup.created': 'New signup',
  'signup.confirmed': 'Confirmed their address',
  'signup.unsubscribed': 'Unsubscribed',
  'invite.redeemed': 'Accepted their invitation',
  'person.erased': 'A person was erased from the list',
  test: 'This is a test: events of the early-access list will appear here',
};

function sentence({ type }: SentEvent, person: Person | null): string {
  const what = SENTENCES[type];
  if (person === null) return what;
  const line = `${what}: ${person.email} (${person.source})`;
  return type === 'signup.created' && person.fields ? `${line}\n${fieldLines(person.fields)}` : line;
}

/** Leaves room for escaping each character within Discord's limit of 2,000. */
const MAX_FIELD_LINES = 700;

function fieldLines(fields: SignupFields): string {
  // A line break in a value must not look like the next field.
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${value === true ? 'yes' : value.replaceAll('\n', ' ')}`,
  );
  const [text, end] = [lines.join('\n'), MAX_FIELD_LINES - 1];
  return text.length > MAX_FIELD_LINES ? `${text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Slack's escaping rules. Nothing else can become a link or mention. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>#[\]()]/g, String.raw`\$&`);
}
