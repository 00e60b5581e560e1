import { largestBytes } from './support/bundle.ts';
import type { Question } from './support/question.ts';
import { atMost, type Goal, type Row, row } from './support/row.ts';
import { openVisit, type Sent } from './support/scripted-visit.ts';
import { OURS, PLAUSIBLE, PLAUSIBLE_OLD, type Tracker } from './support/trackers.ts';

interface Comparison {
  readonly name: string;
  /** In `pages`. */
  readonly ours: string;
  readonly goal: Goal;
  /** Pages to be measured beside it, or bytes that were measured elsewhere. */
  readonly against: readonly { readonly name: string; readonly page: string | number }[];
  /** What is on the page anyway. */
  readonly external?: readonly string[];
  /** What binds it, if the goal is not met. */
  readonly note?: string;
}

const REACT = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'];

const COMPARISONS: readonly Comparison[] = [
  {
    name: 'tracker alone',
    ours: 'tracker-alone',
    goal: atMost(2_400),
    note: 'campaign, landing path and leaving out the admin’s own visits; with its adapter it stays within 3.0 kB',
    against: [],
  },
  {
    name: 'tracker with http',
    ours: OURS.page,
    goal: atMost(3_000),
    against: [
      PLAUSIBLE,
      PLAUSIBLE_OLD,
      // It is not on the registry: built from its source of May 2026.
      { name: 'umami (fixed figure, not measured here)', page: 2_018 },
    ],
  },
  {
    name: 'form with http, beside React',
    ours: 'form',
    goal: atMost(4_100),
    against: [{ name: '@formspree/react', page: 'formspree' }],
    external: REACT,
  },
  {
    name: 'embed: form, tracker, styles with http, without React',
    ours: 'embed',
    goal: atMost(13_500),
    note: 'Preact’s core and hooks are 5.3 kB of it; the rest is as large as before',
    against: [{ name: 'React and @formspree/react', page: 'react-formspree' }],
  },
  {
    name: 'Firestore adapter',
    ours: 'firestore',
    goal: atMost(2_500),
    note: 'Vite and webpack add their own loader for the module that only refusals need; esbuild emits the least',
    against: [
      { name: 'firebase/firestore/lite', page: 'firestore-lite' },
      { name: 'firebase/firestore', page: 'firestore-sdk' },
    ],
  },
];

/** Brotli bytes that a visitor loads, transport included. */
export const weight: Question = {
  asks: 'how much does a page load at once, from the bundler that emits most?',
  exact: true,
  async answer({ quick }) {
    const rows = (await Promise.all(COMPARISONS.map((comparison) => compare(comparison, quick)))).flat();
    const recorded = await Promise.all([OURS, PLAUSIBLE, PLAUSIBLE_OLD].map(whatItSends));
    return { rows, remarks: [{ heading: 'What the trackers send of one and the same visit', lines: recorded.flat() }] };
  },
};

async function compare(
  { name, ours: page, goal, against, external = [], note }: Comparison,
  quick: boolean,
): Promise<Row[]> {
  const ours = await largestBytes(page, external);
  // A goal is about our own bytes, so a quick run bundles the others with the fastest bundler alone, which emits least.
  const bytesOf = async (other: string | number) =>
    typeof other === 'number' ? other : largestBytes(other, external, quick ? ['esbuild'] : undefined);
  if (against.length === 0) return [row({ name, unit: 'B', ours, goal, ...(note && { note }) })];
  return Promise.all(
    against.map(async ({ name: other, page: theirs }) =>
      row({
        name,
        unit: 'B',
        ours,
        theirs: await bytesOf(theirs),
        against: other,
        goal,
        ...(note && { note }),
      }),
    ),
  );
}

/** Two pages, a click, half of the page seen, hidden for a minute, then closed: the fields that reach the tracker's server. */
async function whatItSends({ name, page }: Tracker): Promise<string[]> {
  const visit = await openVisit(page);
  await visit.wait(20_000);
  visit.click();
  visit.scrollTo(1_200);
  await visit.go('/pricing');
  await visit.wait(20_000);
  await visit.hide();
  await visit.wait(60_000);
  await visit.show();
  await visit.wait(5_000);
  await visit.leave();
  visit.end();
  return [`${name}: ${visit.sent.length} requests`, ...new Set(visit.sent.map(fieldsOf))];
}

function fieldsOf({ url, body }: Sent): string {
  const { pathname } = new URL(url, 'https://shop.example');
  return `  ${pathname.replace(/[\da-f-]{36}/, ':id')} ${Object.keys(JSON.parse(body)).join(', ')}`;
}
