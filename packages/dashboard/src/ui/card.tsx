import { type ReactNode, useId } from 'react';
import styles from './ui.module.css';
import ui from './ui.module.css';

interface CardProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, actions, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id} data-card>
      <div className={styles.cardHead}>
        <h2 className={styles.cardTitle} id={id} tabIndex={-1}>
          {title}
        </h2>
        {actions && <div className={styles.cardActions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

interface PageHeadProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly children?: ReactNode;
}

/** A page's heading, with controls that concern the whole page. */
export function PageHead({ title, subtitle, children }: PageHeadProps) {
  return (
    <div className={styles.head}>
      <div>
        {/* Gets the focus after a sign-in, and when the focused control is removed outside a card. */}
        <h1 className={styles.title} tabIndex={-1} data-page-title>
          {title}
        </h1>
        {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
      </div>
      {children}
    </div>
  );
}

/** Name-value pairs. Unknown values are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={ui.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className={ui.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
