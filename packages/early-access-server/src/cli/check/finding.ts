/** The result of one check. `unknown`: the check was not possible here or does not apply; `text` says why. */
export interface Finding {
  readonly name: string;
  readonly result: 'ok' | 'problem' | 'unknown';
  readonly text: string;
  readonly fix?: string;
}

export const ok = (name: string, text: string): Finding => ({ name, result: 'ok', text });
export const unknown = (name: string, text: string): Finding => ({ name, result: 'unknown', text });
export const problem = (name: string, text: string, fix: string): Finding => ({ name, result: 'problem', text, fix });

const NAME_WIDTH = 20;
const LABELS = { ok: 'ok     ', problem: 'PROBLEM', unknown: '-      ' } as const;

export function formatFinding({ name, result, text, fix }: Finding): string {
  const fixLine = fix === undefined ? '' : `${' '.repeat(8)}Fix: ${fix}\n`;
  return `${LABELS[result]} ${name.padEnd(NAME_WIDTH)} ${text}\n${fixLine}`;
}
