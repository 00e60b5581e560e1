import type { Tallies } from 'early-access-server/admin-api';
import { formatCount, formatNumber } from '../format/format.ts';
import styles from './overview.module.css';

interface LeftOutProps {
  /** Null if the store does not count them. */
  readonly tallies: Tallies | null;
  readonly hasFigures: boolean;
}

/** Explains what the figures count, and what they leave out of the period. */
export function LeftOut({ tallies, hasFigures }: LeftOutProps) {
  return (
    <>
      {hasFigures && (
        <div className={styles.leftOut}>
          <p>
            Conversion is new signups per visitor, in the figures, the tables and the funnel. In the tables and with a
            filter, a visitor counts once a day (UTC).
          </p>
          <p>
            New signups are people who signed up on the site in this period. The overlay’s Email Signups include
            imported people and those who have left; its other figures cover the last 30 days. The public count is
            rounded, and excludes people who have left or not confirmed.
          </p>
        </div>
      )}
      {tallies !== null && <Tallied tallies={tallies} />}
    </>
  );
}

/** Imports, bot sessions, and signups that a human check rejected. */
function Tallied({ tallies }: { readonly tallies: Tallies }) {
  const { robots, human_missing, human_refused, human_replayed, human_unreachable, imported } = tallies;
  const reasons = [
    { count: human_missing, text: 'without a token' },
    { count: human_refused, text: 'with a rejected token' },
    { count: human_replayed, text: 'with a reused token' },
    { count: human_unreachable, text: 'because the check could not be reached' },
  ].filter(({ count }) => count > 0);
  const refused = reasons.reduce((sum, { count }) => sum + count, 0);
  if (robots + refused + imported === 0) return null;
  return (
    <div className={styles.leftOut}>
      {imported > 0 && (
        <p>
          {formatCount(imported, 'person was', 'people were')} imported in this period. They are on the list, but not
          counted as signups.
        </p>
      )}
      {robots > 0 && (
        <p>{formatCount(robots, 'bot session is', 'bot sessions are')} excluded from all figures of this period.</p>
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
