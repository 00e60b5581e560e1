/** Wakes workers that wait for work. A wake that arrives between looking for work and waiting is not lost. */
export interface WakeSignal {
  /** Increases with every wake. Read it before looking for work. */
  readonly count: number;
  wake(): void;
  /**
   * Resolves at the first wake after `since`, or after `ms` milliseconds. The timer does not keep the process alive.
   */
  wait(since: number, ms: number): Promise<void>;
}

export function wakeSignal(): WakeSignal {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    get count() {
      return count;
    },
    wake() {
      count += 1;
      for (const resume of waiting) resume();
    },
    wait(since, ms) {
      if (count !== since) return Promise.resolve();
      return new Promise((resolve) => {
        const resume = () => {
          clearTimeout(timer);
          waiting.delete(resume);
          resolve();
        };
        const timer = setTimeout(resume, ms).unref();
        waiting.add(resume);
      });
    },
  };
}
