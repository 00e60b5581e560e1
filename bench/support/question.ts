import type { Row } from './row.ts';

export interface QuestionOptions {
  /** A smaller run that only checks whether the benchmark works. Its figures are not comparable. */
  readonly quick: boolean;
  /** An empty folder on the disk of the repository, removed afterwards. */
  readonly folder: string;
  /** Prints the current measurement. */
  tell(text: string): void;
}

export interface Answer {
  readonly rows: readonly Row[];
  /** Facts that the numbers do not show, each with a heading. */
  readonly remarks?: readonly Remark[];
}

interface Remark {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** A question for a benchmark, in its own file of this folder. */
export interface Question {
  readonly asks: string;
  /** The result is the same on every machine, however busy. All others are only judged and saved on a quiet machine. */
  readonly exact?: true;
  answer(options: QuestionOptions): Promise<Answer>;
}
