import type { ReactNode } from 'react';
import ui from './ui.module.css';

/** Pairs of a name and a value; what is not known is left out. */
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
