import { largestBytes } from './support/bundle.ts';
import type { Question } from './support/question.ts';
import { atMost, type Goal, type Row, row } from './support/row.ts';
import { OURS, PLAUSIBLE, PLAUSIBLE_OLD, UMAMI } from './support/trackers.ts';

interface Comparison {
  readonly name: string;
  /** The name of its file in `pages`. */
  readonly ours: string;
  readonly goal: Goal;
  /** Pages to be measured beside it. */
  readonly against: readonly { readonly name: string; readonly page: string }[];
  /** Modules that are on the page anyway. */
  readonly external?: readonly string[];
  /** The reason, if the goal is not met. */
  readonly note?: string;
}

const REACT = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'];

const COMPARISONS: readonly Comparison[] = [
  {
    name: 'tracker alone',
    ours: 'tracker-alone',
    goal: atMost(2_400),
    note: 'campaign, landing path and leaving out the admin’s own visits; with its adapter it is within 3.0 kB',
    against: [],
  },
  {
    name: 'tracker with http',
    ours: OURS.page,
    goal: atMost(3_000),
    against: [PLAUSIBLE, PLAUSIBLE_OLD, UMAMI],
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
    note: 'more than a third is Preact; the form, the tracker, the adapter and the stylesheet are the rest',
    against: [
      { name: 'React and @formspree/react', page: 'react-formspree' },
      { name: 'the embed’s part of Preact', page: 'preact' },
    ],
  },
  {
    name: 'Firestore adapter',
    ours: 'firestore',
    goal: atMost(2_500),
    note: 'Vite adds its loader of lazy modules, once for a whole site, for the module that only refusals need',
    against: [
      { name: 'an empty lazy module', page: 'lazy' },
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
    return { rows };
  },
};

async function compare(
  { name, ours: page, goal, against, external = [], note }: Comparison,
  quick: boolean,
): Promise<Row[]> {
  const ours = await largestBytes(page, external);
  // A goal is about our own bytes, so a quick run bundles the others with the fastest bundler alone, which emits least.
  const measureBytes = (other: string) => largestBytes(other, external, quick ? ['esbuild'] : undefined);
  if (against.length === 0) return [row({ name, unit: 'B', ours, goal, ...(note && { note }) })];
  return Promise.all(
    against.map(async ({ name: other, page: theirs }) =>
      row({
        name,
        unit: 'B',
        ours,
        theirs: await measureBytes(theirs),
        against: other,
        goal,
        ...(note && { note }),
      }),
    ),
  );
}
