import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

export interface RunOptions {
  /** Relative to the root of the repository. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Also prints the output while it is collected. */
  live?: boolean;
}

export interface RunResult {
  code: number;
  output: string;
}

/** Runs a program. Never rejects: a program that cannot be started returns code 127. */
export function run(
  command: string,
  args: readonly string[],
  { cwd = '.', env = {}, live = false }: RunOptions = {},
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: path.join(ROOT, cwd),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (live) process.stdout.write(text);
      });
    }
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop).once('SIGINT', stop);
    const end = (code: number) => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      end(127);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

/** Runs a program. If it fails, prints its output and exits. */
export async function runOrExit(command: string, args: readonly string[], options: RunOptions = {}): Promise<void> {
  const { code, output } = await run(command, args, options);
  if (code === 0) return;
  if (!options.live) process.stderr.write(output);
  console.error(`\n${command} ${args.join(' ')} failed (exit code ${code}).`);
  process.exit(code);
}
