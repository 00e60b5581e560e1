/**
 * Returns arguments for `serve` that set the server's clock `ms` milliseconds ahead of the machine's, or back if
 * negative.
 */
export function movedClock(ms: number): readonly string[] {
  const code = `
    const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...values) {
        super(...(values.length === 0 ? [now() + ${ms}] : values));
      }
      static now() {
        return now() + ${ms};
      }
    };`;
  return ['env', `NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(code)}`];
}
