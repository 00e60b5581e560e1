import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** The content of the table in `docs/browsers.md`. */
export interface Measured {
  /** The versions by browser. */
  readonly versions: Readonly<Record<string, string>>;
  /** The findings by flow, then by browser. */
  readonly flows: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const FILE = path.resolve(import.meta.dirname, '../measured.json');

/** Types of a test's annotations: the version of the browser, and what was measured if that says more than "works". */
export const VERSION = 'version';
export const FINDING = 'finding';

export function readMeasured(): Measured {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { versions: {}, flows: {} };
}

/**
 * Fails a run whose findings differ from `measured.json`; `ENGINES=update` stores them there in place of all others, `update some` beside them. A run of some flows is compared as far
 * as it goes, a whole one (`ENGINES=whole`) must have run every flow that is listed.
 */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter by its default export
export default class MeasuredReporter implements Reporter {
  readonly #versions: Record<string, string> = {};
  readonly #flows: Record<string, Record<string, string>> = {};

  onTestEnd(test: TestCase, { status, annotations }: TestResult): void {
    const browser = test.parent.project()?.name ?? '';
    const noted = (type: string) => annotations.find((annotation) => annotation.type === type)?.description;
    const version = noted(VERSION);
    if (version !== undefined) this.#versions[browser] = version;
    const finding = status === 'passed' ? (noted(FINDING) ?? 'works') : 'fails';
    this.#flows[test.title] = { ...this.#flows[test.title], [browser]: finding };
  }

  async onEnd(): Promise<{ status: 'failed' } | undefined> {
    const stored = readMeasured();
    const { ENGINES } = process.env;
    if (ENGINES === 'update' || ENGINES === 'update some') {
      const flows = Object.entries(this.#flows).map(([flow, found]) => [flow, { ...stored.flows[flow], ...found }]);
      const measured = {
        versions: { ...stored.versions, ...this.#versions },
        flows: { ...(ENGINES !== 'update' && stored.flows), ...Object.fromEntries(flows) },
      };
      writeFileSync(FILE, `${JSON.stringify(measured, null, 2)}\n`);
      return undefined;
    }
    const listed = ENGINES === 'whole' ? Object.keys(stored.flows) : [];
    const notRun = listed.filter((flow) => !(flow in this.#flows)).map((flow) => `${flow}: not run`);
    const others = Object.entries(this.#flows).flatMap(([flow, found]) =>
      Object.entries(found)
        .filter(([browser, finding]) => stored.flows[flow]?.[browser] !== finding)
        .map(([browser, finding]) => `${flow}, ${browser}: ${finding}, not ${stored.flows[flow]?.[browser]}`),
    );
    const lies = [...notRun, ...others];
    if (lies.length === 0) return undefined;
    const advice = 'npm run test:engines -- --update stores what was found.';
    process.stderr.write(`docs/browsers.md is wrong. ${advice}\n${lies.join('\n')}\n`);
    return { status: 'failed' };
  }
}
