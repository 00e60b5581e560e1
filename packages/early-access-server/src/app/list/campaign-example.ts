import { EVERYONE, type Person } from '../admin/people.ts';
import { emailFields } from '../mail/email-fields.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import type { Audience } from './campaign.ts';

/** People of each state who are looked at. */
const LOOKED_AT = 20;

/**
 * The one among the newest people of the audience whose email shows most of these fields, for a preview. Null if the audience is empty.
 */
export async function findExamplePerson(
  people: Pick<PeopleStore, 'list'>,
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
