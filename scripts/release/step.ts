import path from 'node:path';
import { ROOT, run } from '../run.ts';

/** The working folder of a program, and additional environment variables. */
export interface Place {
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program and returns its output. If it fails, rejects with the output. */
export async function step({ folder, env }: Place, program: string, ...args: string[]): Promise<string> {
  const options = { cwd: path.relative(ROOT, folder), env: { NO_COLOR: '1', ...env } };
  const { code, output } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
