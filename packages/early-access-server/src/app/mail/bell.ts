/** Wakes those who wait for work. A ring between looking for work and waiting for it is not lost. */
export interface Bell {
  /** Changes with every ring. Read it before looking for work. */
  readonly rings: number;
  ring(): void;
  /** Resolves at the first ring after `since`, or after `ms`. Its timer does not keep the process alive. */
  wait(since: number, ms: number): Promise<void>;
}

export function bell(): Bell {
  let rings = 0;
  const waiting = new Set<() => void>();
  return {
    get rings() {
      return rings;
    },
    ring() {
      rings += 1;
      for (const wake of waiting) wake();
    },
    wait(since, ms) {
      if (rings !== since) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms).unref();
        waiting.add(wake);
      });
    },
  };
}
