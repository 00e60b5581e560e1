/** A position in the rules, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The rules use something that the fake does not know. Never treated as a denial. */
export class UnknownConstruct extends Error {
  override readonly name = 'UnknownConstruct';
  readonly position: Position;

  constructor(what: string, position: Position) {
    super(`firestore.rules:${position.line}:${position.column}: ${what}`);
    this.position = position;
  }
}

/** An error while evaluating a condition, such as a missing field. The condition is false then. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}
