import type { ImportRecord, Segment, TextName, TextTest } from 'early-access-server/admin-api';
import { fieldOf, nameLanguage, textSegment } from 'early-access-server/admin-pages';
import { useState } from 'react';
import { formatDateTime } from '../format/format.ts';
import { Checklist } from '../ui/checklist.tsx';
import { Choice } from '../ui/choice.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from './segments.module.css';
import { type Fields, useImports, useLabels, useSources } from './use-segments.ts';

const LANGUAGES = (
  'ar bg bn ca cs da de el en es et eu fa fi fil fr ga gl he hi hr hu hy id is it ja ka ko lt lv mk ms nb nl no pl pt ro ru sk sl sq sr ' +
  'sv sw ta te th tr uk ur vi zh'
)
  .split(' ')
  .map((tag) => [tag, nameLanguage(tag)] as const)
  .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));

const MAX_VALUE_LENGTH = 200;

/** The tests of a text. `some` and `empty`: it has any value, or none. */
const TESTS = {
  any: 'Is',
  none: 'Is not',
  part: 'Contains',
  some: 'Has any value',
  empty: 'Has no value',
} as const;
type Test = keyof typeof TESTS;

interface TextConditionProps {
  readonly of: TextName;
  readonly fields: Fields;
  readonly zone: string;
  /** Called with an empty segment until the condition is complete. */
  readonly onChange: (value: Segment) => void;
}

/** A condition on a text: a test, and the values to compare with. */
export function TextCondition({ of, fields, zone, onChange }: TextConditionProps) {
  const choices = useChoices(of, fields, zone);
  const tests = listTests(of, choices !== null && of !== 'source' && of !== 'labels');
  const [test, setTest] = useState<Test>('any');
  const [values, setValues] = useState<readonly string[]>([]);
  const change = (nextTest: Test, next: readonly string[]) => {
    setTest(nextTest);
    setValues(next);
    onChange(toSegment(of, nextTest, next));
  };
  const isChosen = choices !== null && test !== 'part';
  return (
    <>
      <Choice
        label="Test"
        value={test}
        options={tests.map((each) => [each, TESTS[each]] as const)}
        onChoose={(next) => change(next, [])}
      />
      {test !== 'some' && test !== 'empty' && isChosen && (
        <div className={styles.choices}>
          <Checklist
            legend="Values"
            options={choices.map(([value]) => value)}
            chosen={values}
            onChange={(next) => change(test, next)}
          >
            {(value) => choices.find(([choice]) => choice === value)?.[1] ?? value}
          </Checklist>
        </div>
      )}
      {test !== 'some' && test !== 'empty' && !isChosen && (
        <TextField
          label="Value"
          maxLength={MAX_VALUE_LENGTH}
          value={values[0] ?? ''}
          onChange={(text) => change(test, text === '' ? [] : [text])}
        />
      )}
    </>
  );
}

/** A source is never empty, and matching parts of ids, languages and choices is meaningless. */
function listTests(of: TextName, isChosen: boolean): readonly Test[] {
  if (of === 'source') return ['any', 'none', 'part'];
  return isChosen ? ['any', 'none', 'some', 'empty'] : ['any', 'none', 'part', 'some', 'empty'];
}

function toSegment(of: TextName, test: Test, values: readonly string[]): Segment {
  const asked: TextTest = test === 'some' ? 'any' : test === 'empty' ? 'none' : test;
  return values.length === 0 && asked === test ? {} : textSegment({ of, test: asked, values });
}

/** The possible values of a text with their names; null if any value is possible. */
function useChoices(of: TextName, fields: Fields, zone: string): readonly (readonly [string, string])[] | null {
  const imports = useImports() ?? [];
  const sources = useSources() ?? [];
  const labels = useLabels() ?? [];
  switch (of) {
    case 'source':
      return sources.map((source) => [source, source] as const);
    case 'campaign':
      return null;
    case 'labels':
      return labels.map((label) => [label, label] as const);
    case 'import':
      return imports.map((file) => [file.id, nameFile(file, zone)] as const);
    case 'language':
      return LANGUAGES;
    default: {
      const choices = fields.find(({ name }) => name === fieldOf(of))?.choices ?? [];
      return choices.length > 0 ? choices.map(({ value, label }) => [value, label] as const) : null;
    }
  }
}

/** Includes the time, to distinguish imports of the same file. */
function nameFile({ name, created_at }: ImportRecord, zone: string): string {
  return `${name || 'Unnamed file'}, ${formatDateTime(created_at, zone)}`;
}
