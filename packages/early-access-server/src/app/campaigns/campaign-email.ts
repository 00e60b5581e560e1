import { randomUUID } from 'node:crypto';
import {
  type FieldDeclaration,
  type FieldDeclarations,
  optionValues,
  type SignupFields,
  StorageError,
} from 'early-access-kit/internal';
import { emailFields } from '../mail/email-fields.ts';
import { TEST_TOKENS } from '../people/links.ts';
import { EVERYONE, type Person } from '../people/people.ts';
import type { ComposableMessage } from '../ports/mail-composer.ts';
import type { DeliveryResult, Email } from '../ports/mail-transport.ts';
import type { Store } from '../ports/store.ts';
import type { Audience, Campaign, CampaignExample } from './campaign.ts';
import { findFieldNames, findPlaceholderProblem } from './placeholders.ts';

export interface CampaignMail {
  compose(message: ComposableMessage): Email;
  deliver(email: Email): Promise<DeliveryResult>;
}

export interface CampaignEmailParts {
  readonly store: Pick<Store, 'people' | 'campaigns'>;
  readonly fields: FieldDeclarations;
  /** Null: no emails are sent. */
  readonly mail: CampaignMail | null;
  readonly now: number;
}

interface Example {
  /** The address of the person whose values are shown, or null if they belong to nobody. */
  readonly person: string | null;
  readonly email: Email;
}

/** Sample recipient for composing previews. It does not appear in them. */
const EXAMPLE_ADDRESS = 'someone@example.com';

/** People read per state to find an example. */
const LOOKED_AT = 20;

/** Composes the email for one person. Throws a `StorageError` with code `invalid` if it cannot be composed. */
export async function composeExample(
  parts: CampaignEmailParts,
  campaign: Campaign,
  who: CampaignExample,
): Promise<Example> {
  const { store, fields: declarations, now } = parts;
  const text = textOf(campaign);
  const problem = findPlaceholderProblem(text, Object.keys(declarations));
  if (problem !== null) throw new StorageError('invalid', problem);
  const isEmpty = who === 'empty';
  const found = isEmpty ? null : await findExamplePerson(store, campaign.audience, now, findFieldNames(text));
  const example = isEmpty ? {} : exampleFields(declarations);
  const fields = found === null ? example : emailFields(found.fields, found.confirmed_at !== null);
  const email = composeCampaign(parts, campaign, {
    email: found?.email ?? EXAMPLE_ADDRESS,
    fields,
    tokens: TEST_TOKENS,
  });
  return { person: found?.email ?? null, email };
}

/**
 * Sends a test email to an admin. It contains nobody's values, because the admin's copy remains after people are
 * erased. Throws the same errors as `composeExample`.
 */
export async function sendTest(
  parts: CampaignEmailParts,
  campaign: Campaign,
  to: Pick<ComposableMessage, 'email' | 'tokens'>,
): Promise<DeliveryResult> {
  await composeExample(parts, campaign, 'person');
  const email = composeCampaign(parts, campaign, { ...to, fields: exampleFields(parts.fields) });
  return requireMail(parts).deliver(email);
}

/** Throws a `StorageError` with code `invalid` for an email that would fail for every recipient. */
export async function checkSendable(parts: CampaignEmailParts, campaign: Campaign): Promise<void> {
  requireMail(parts);
  const { subject, body, audience } = campaign;
  if (subject.trim() === '' || body.trim() === '')
    throw new StorageError('invalid', 'write a subject and a text first');
  const { with_campaign, without_campaign } = audience.conditions ?? {};
  for (const id of [with_campaign, without_campaign]) {
    if (id !== undefined && (await parts.store.campaigns.find(id)) === null)
      throw new StorageError(
        'invalid',
        'the audience depends on a campaign that no longer exists; remove that condition',
      );
  }
  await composeExample(parts, campaign, 'person');
}

/** All text of a campaign that recipients see. */
export function textOf({ subject, body }: Pick<Campaign, 'subject' | 'body'>): string {
  return `${subject}\n${body}`;
}

function composeCampaign(
  parts: CampaignEmailParts,
  { subject, body }: Campaign,
  recipient: Pick<ComposableMessage, 'email' | 'fields' | 'tokens'>,
): Email {
  const mail = requireMail(parts);
  return mail.compose({
    kind: 'campaign',
    ...recipient,
    language: null,
    messageKey: randomUUID(),
    campaign: { subject, body },
    notice: null,
  });
}

function requireMail({ mail }: CampaignEmailParts): CampaignMail {
  if (mail !== null) return mail;
  throw new StorageError('invalid', 'no emails are sent: this application has no mail server');
}

/**
 * For a preview: among the newest people of the audience, the one whose email shows most of these fields. Null if the
 * audience is empty.
 */
async function findExamplePerson(
  { people }: CampaignEmailParts['store'],
  { states, source, conditions }: Audience,
  at: number,
  fields: readonly string[],
): Promise<Person | null> {
  const segment = conditions && { conditions, at };
  const limit = fields.length > 0 ? LOOKED_AT : 1;
  const pages = await Promise.all(
    states.map((state) => people.list({ ...EVERYONE, state, source, segment, sort: 'newest', limit, after: null })),
  );
  const countFields = ({ fields: entered, confirmed_at }: Person) => {
    const shown = emailFields(entered, confirmed_at !== null);
    return fields.filter((name) => Object.hasOwn(shown, name)).length;
  };
  const [best] = pages.flatMap((page) => page.people).toSorted((a, b) => countFields(b) - countFields(a));
  return best ?? null;
}

/** Sample values for an email that goes to nobody. */
function exampleFields(declarations: FieldDeclarations): SignupFields {
  return Object.fromEntries(Object.entries(declarations).map(([name, field]) => [name, exampleValue(field)]));
}

function exampleValue(field: FieldDeclaration): string | true {
  switch (field.type) {
    case 'url':
      return 'https://www.example.com/';
    case 'tel':
      return '+15550100123';
    case 'number':
      return String(field.min ?? field.max ?? 1);
    case 'date':
      return field.min ?? field.max ?? '2026-01-31';
    case 'checkbox':
      return field.consent ? field.label : true;
    case 'select':
    case 'choices':
      return optionValues(field)[0] ?? field.label;
    default:
      return field.label;
  }
}
