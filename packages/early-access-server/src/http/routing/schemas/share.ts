import * as z from 'zod';
import { PERSON_STATES } from '../../../app/lifecycle/states.ts';
import { MAX_BROUGHT, type PersonReferrals, type ShareLink } from '../../../app/ports/share-store.ts';
import { CREDITS } from '../../../app/share/credit.ts';
import { count, createEnum, type Output, record } from '../openapi/schema.ts';

const shareLink = record<ShareLink>()('ShareLink', {
  id: z.string().describe('The id of the person.'),
  email: z.string(),
  signups: count.describe('Signups through the link.'),
  confirmed: count.describe('How many of them are confirmed.'),
  counted: count.describe('The referrals that count.'),
  held: count.describe(
    'The held referrals: they count once an admin approves them, because the link had too many signups in an hour.',
  ),
  rejected: count,
});

export const shareLinks = z.object({
  links: z.array(shareLink).describe('The most signups first, at most 100.'),
});
export type LinksResponse = Output<typeof shareLinks>;

const credit = z
  .enum(CREDITS)
  .nullable()
  .describe('Whether it counts for the person who referred it. Null: it does not.');
const person = { id: z.string(), email: z.string(), state: z.enum(PERSON_STATES) };

export const personReferrals = record<PersonReferrals>()('PersonReferrals', {
  brought_by: z.object(person).nullable(),
  credit,
  brought: z.array(z.object({ ...person, credit })).describe(`The newest first, at most ${MAX_BROUGHT}.`),
});

export const creditDecision = z.object({ credit: createEnum(CREDITS) });
export const decided = z.object({ people: count });
