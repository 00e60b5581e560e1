import { ENGAGED_DEPTH, ENGAGED_SECONDS, type PeriodFigures } from 'early-access-server/admin-api';
import { Card } from '../ui/card.tsx';
import { Count } from '../ui/count.tsx';
import ui from '../ui/ui.module.css';
import { conversion, ratio } from './figures.ts';
import styles from './funnel.module.css';

/** The number of sessions that reach each step. */
export function Funnel({ figures }: { readonly figures: PeriodFigures }) {
  const { sessions, engaged_sessions, signups } = figures;
  const steps = [
    { name: 'Started', count: sessions, hint: 'sessions', share: undefined },
    {
      name: 'Engaged',
      count: engaged_sessions,
      hint: `${ENGAGED_SECONDS} s visible or ${ENGAGED_DEPTH}% of the page seen`,
      share: ratio(engaged_sessions, sessions),
    },
    // Per visitor, because a person signs up once but may have several sessions.
    { name: 'Signed up', count: signups, hint: 'new signups, as a share of visitors', share: conversion(figures) },
  ];
  return (
    <Card title="From session to signup">
      <ol className={styles.steps}>
        {steps.map(({ name, count, hint, share }, index) => (
          <li key={name}>
            <div className={styles.text}>
              <span>
                <b>{name}</b> <span className={ui.muted}>{hint}</span>
              </span>
              <Count count={count} share={share} />
            </div>
            <div className={styles.track}>
              <div
                className={`${styles.fill} ${index === steps.length - 1 ? styles.last : ''}`}
                style={{ width: `${Math.min(100, 100 * (ratio(count, sessions) ?? 0))}%` }}
              />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
