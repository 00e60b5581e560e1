import type { ReactNode } from 'react';
import styles from './tiles.module.css';

interface Tile {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: string;
}

/** A row of figures, each with its label. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ key, name, value }) => (
        <div key={key} className={styles.tile}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
