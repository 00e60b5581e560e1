import type { Row } from './row.ts';

export interface QuestionOptions {
  /** A smaller run that shows whether the benchmark works. Its figures are not comparable. */
  readonly quick: boolean;
  /** An empty folder on the disk of the repository, removed afterwards. */
  readonly folder: string;
  /** Prints what is being measured. */
  tell(text: string): void;
}

export interface Answer {
  readonly rows: readonly Row[];
  /** Facts that the numbers alone do not show, each with a heading. */
  readonly remarks?: readonly Remark[];
}

interface Remark {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** A question that a benchmark answers, in its own file of this folder. */
export interface Question {
  readonly asks: string;
  /**
   * Set if the result is the same on every machine, however busy. Others are judged and saved on a quiet machine only.
   */
  readonly exact?: true;
  answer(options: QuestionOptions): Promise<Answer>;
}
