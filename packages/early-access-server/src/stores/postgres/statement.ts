/** A statement that runs when it is awaited. Inside another statement it is a part of that one. */
export interface Statement<Result> extends PromiseLike<Result> {
  /** The text, with parameters numbered from `first`, and their values. */
  build(first: number): { readonly text: string; readonly values: readonly unknown[] };
}

/** `texts` surround the values. With a single text, the values are the parameters that it names itself. */
export function statement<Result>(
  texts: readonly string[],
  values: readonly unknown[],
  execute: (text: string, values: unknown[]) => Promise<Result>,
): Statement<Result> {
  function build(first: number) {
    let text = texts[0] ?? '';
    if (texts.length === 1) return { text, values };
    const parameters: unknown[] = [];
    for (const [index, value] of values.entries()) {
      if (isStatement(value)) {
        const part = value.build(first + parameters.length);
        text += part.text;
        parameters.push(...part.values);
      } else {
        text += `$${first + parameters.length}`;
        parameters.push(value);
      }
      text += texts[index + 1] ?? '';
    }
    return { text, values: parameters };
  }
  return {
    build,
    // biome-ignore lint/suspicious/noThenProperty: it runs when it is awaited, so that parts of other statements do not
    then(onFulfilled, onRejected) {
      const { text, values } = build(1);
      return execute(text, [...values]).then(onFulfilled, onRejected);
    },
  };
}

function isStatement(value: unknown): value is Statement<unknown> {
  return typeof value === 'object' && value !== null && 'build' in value && typeof value.build === 'function';
}
