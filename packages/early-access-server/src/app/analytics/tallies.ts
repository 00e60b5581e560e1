/**
 * What is counted and stored nowhere else: visits of robots, and signups that a human check refused because their token was missing,
 * refused by its verifier or used already, or because the verifier could not be reached.
 */
export const TALLIES = ['robots', 'human_missing', 'human_refused', 'human_replayed', 'human_unreachable'] as const;
export type Tally = (typeof TALLIES)[number];
export type Tallies = Readonly<Record<Tally, number>>;

/** One value for each tally. */
export function talliesOf(countOf: (tally: Tally) => number): Tallies {
  return {
    robots: countOf('robots'),
    human_missing: countOf('human_missing'),
    human_refused: countOf('human_refused'),
    human_replayed: countOf('human_replayed'),
    human_unreachable: countOf('human_unreachable'),
  };
}

export const NO_TALLIES = talliesOf(() => 0);
