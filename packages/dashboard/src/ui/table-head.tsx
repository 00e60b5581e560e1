import ui from './ui.module.css';

interface TableHeadProps {
  readonly columns: readonly string[];
  /** The columns that are aligned at their end. */
  readonly numbers?: readonly string[];
}

export function TableHead({ columns, numbers = [] }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col" className={numbers.includes(name) ? ui.number : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
