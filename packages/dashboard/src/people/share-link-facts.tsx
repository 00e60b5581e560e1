import type { PersonRecord, PersonReferrals, SharePerson } from 'early-access-server/admin-api';
import { Link } from 'wouter';
import { Breakable } from '../ui/breakable.tsx';
import { Facts } from '../ui/card.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import ui from '../ui/ui.module.css';
import styles from './people.module.css';

const CREDIT_TEXTS: Readonly<Record<NonNullable<PersonReferrals['credit']>, string>> = {
  counted: 'counts',
  held: 'held until an admin decides',
  rejected: 'rejected by an admin',
};

/** Who referred the person, and whom they referred. Renders nothing if neither is known. */
export function ShareLinkFacts({ person: { share, referrals } }: { readonly person: PersonRecord }) {
  if (share.brought_by === null && share.brought.length === 0) return null;
  const { brought_by, credit, brought } = share;
  return (
    <>
      <h3 className={styles.heading}>Share link</h3>
      <Facts
        facts={[
          ['Referred by', brought_by && <PersonLink person={brought_by} credit={credit} />],
          ['Counted', brought.length > 0 && String(referrals)],
        ]}
      />
      {brought.length > 0 && (
        <>
          <p className={`${ui.text} ${styles.brought}`}>Referrals, newest first:</p>
          <ul className={ui.list} aria-label="Referrals">
            {brought.map((friend) => (
              <li key={friend.id} className={styles.friend}>
                <PersonLink person={friend} credit={friend.credit} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface PersonLinkProps {
  readonly person: SharePerson;
  readonly credit: PersonReferrals['credit'];
}

function PersonLink({ person: { id, email, state }, credit }: PersonLinkProps) {
  return (
    <span className={ui.row}>
      <Link to={`?page=people&person=${encodeURIComponent(id)}`} className={styles.link}>
        <Breakable>{email}</Breakable>
      </Link>
      <StateBadge state={state} />
      <span className={ui.hint}>{credit === null ? 'does not count' : CREDIT_TEXTS[credit]}</span>
    </span>
  );
}
