import { type ImportReport, VALUE_MEANINGS, type ValueMeaning } from 'early-access-server/admin-api';
import { formatCount, formatNumber } from '../format/format.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Card } from '../ui/card.tsx';
import { STATE_LABELS } from '../ui/state-badge.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './import.module.css';
import { OTHER_VALUES, type ValueChoices, valueKey } from './use-import.ts';

interface ImportQuestionsProps extends Pick<ImportReport, 'questions'> {
  readonly choices: ValueChoices;
  readonly disabled: boolean;
  readonly onChoose: (choices: ValueChoices) => void;
}

/** Asks for the meaning of consent values that are not recognized. Nobody is imported until all are decided. */
export function ImportQuestions({ questions, choices, disabled, onChoose }: ImportQuestionsProps) {
  if (questions.length === 0) return null;
  const choose = (key: string, meaning: ValueMeaning | null) => {
    const next = new Map(choices);
    if (meaning === null) next.delete(key);
    else next.set(key, meaning);
    onChoose(next);
  };
  return (
    <Card title="What do these values mean?">
      <div className={ui.stack}>
        <p className={ui.text}>
          These values may show who wants your emails. Choose a meaning for each before importing. If unsure, leave
          these people out.
        </p>
        {questions.map(({ column, name, values, more }) => (
          <table key={column} className={`${ui.table} ${ui.cards} ${styles.questions}`}>
            <caption className={styles.caption}>Column “{name}”</caption>
            <TableHead columns={['Value', 'People', 'For example', 'Meaning']} numbers={['People']} />
            <tbody>
              {values.map(({ value, people, example, meaning }) => (
                <tr key={value}>
                  <th scope="row" className={styles.person}>
                    {value || 'Empty'}
                  </th>
                  <td className={ui.number} data-name="People">
                    {formatNumber(people)}
                  </td>
                  <td className={styles.person} data-name="For example">
                    {example !== null && <Breakable>{example}</Breakable>}
                  </td>
                  <td className={styles.meaning} data-name="Meaning">
                    <MeaningSelect
                      label={`Meaning of ${value || 'an empty value'} in ${name}`}
                      value={choices.get(valueKey(column, value)) ?? meaning}
                      people={people}
                      disabled={disabled}
                      onChoose={(chosen) => choose(valueKey(column, value), chosen)}
                    />
                  </td>
                </tr>
              ))}
              {more > 0 && (
                <tr>
                  <th scope="row">All others</th>
                  <td colSpan={2}>{formatCount(more, 'more value', 'more values')}</td>
                  <td className={styles.meaning} data-name="Meaning">
                    <MeaningSelect
                      label={`Meaning of all other values in ${name}`}
                      value={choices.get(valueKey(column, OTHER_VALUES)) ?? null}
                      people={null}
                      disabled={disabled}
                      onChoose={(chosen) => choose(valueKey(column, OTHER_VALUES), chosen)}
                    />
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        ))}
      </div>
    </Card>
  );
}

interface MeaningSelectProps {
  readonly label: string;
  /** Null until decided. */
  readonly value: ValueMeaning | null;
  /** The number of people with this value; null if unknown. */
  readonly people: number | null;
  readonly disabled: boolean;
  readonly onChoose: (meaning: ValueMeaning | null) => void;
}

function MeaningSelect({ label, value, people, disabled, onChoose }: MeaningSelectProps) {
  return (
    <select
      className={ui.input}
      aria-label={label}
      value={value ?? ''}
      data-open={value === null || undefined}
      disabled={disabled}
      onChange={({ target }) => onChoose(VALUE_MEANINGS.find((meaning) => meaning === target.value) ?? null)}
    >
      <option value="">Choose…</option>
      {VALUE_MEANINGS.map((meaning) => (
        <option key={meaning} value={meaning}>
          {nameMeaning(meaning, people)}
        </option>
      ))}
    </select>
  );
}

function nameMeaning(meaning: ValueMeaning, people: number | null): string {
  if (meaning === 'leave-out') return 'Leave out';
  if (meaning !== 'ignore') return STATE_LABELS[meaning];
  return people === null ? 'Ignore: subscribes them' : `Ignore: subscribes ${formatCount(people, 'person', 'people')}`;
}
