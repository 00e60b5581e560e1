import type { Tallies } from 'early-access-server/admin-api';
import { formatCount, formatNumber } from '../format/format.ts';
import styles from './overview.module.css';

/** Counts of the period that are not part of the figures: imports, visits of robots, and signups that a human check rejected. */
export function LeftOut({ tallies }: { readonly tallies: Tallies }) {
  const { robots, human_missing, human_refused, human_replayed, human_unreachable, imported } = tallies;
  const reasons = [
    { count: human_missing, text: 'without a token' },
    { count: human_refused, text: 'with a token that the check refused' },
    { count: human_replayed, text: 'with a token that was used before' },
    { count: human_unreachable, text: 'because the check could not be reached' },
  ].filter(({ count }) => count > 0);
  const refused = reasons.reduce((sum, { count }) => sum + count, 0);
  if (robots + refused + imported === 0) return null;
  return (
    <div className={styles.leftOut}>
      {imported > 0 && (
        <p>
          {formatCount(imported, 'person was', 'people were')} imported in this period. They are on the list, and are
          not counted as signups.
        </p>
      )}
      {robots > 0 && (
        <p>{formatCount(robots, 'visit', 'visits')} of robots in this period are left out of all figures.</p>
      )}
      {refused > 0 && (
        <>
          <p>The human check refused {formatCount(refused, 'attempt', 'attempts')} to sign up in this period:</p>
          <ul>
            {reasons.map(({ count, text }) => (
              <li key={text}>
                {formatNumber(count)} {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
