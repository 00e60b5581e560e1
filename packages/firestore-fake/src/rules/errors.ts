/** Where a construct stands in the rules, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A construct of the rules language that is not known here: never taken for a denial. */
export class UnknownConstruct extends Error {
  override readonly name = 'UnknownConstruct';
  readonly position: Position;

  constructor(what: string, position: Position) {
    super(`firestore.rules:${position.line}:${position.column}: ${what}`);
    this.position = position;
  }
}

/** An error in the course of evaluation, such as a missing field: the condition does not hold. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}
