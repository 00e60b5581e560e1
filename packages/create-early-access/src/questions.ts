import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { select, text } from '@clack/prompts';
import { type Choice, FRAMEWORKS, type Framework, hasStore, listKeys, STORES, type Store } from './choices.ts';
import { Failure } from './failure.ts';
import { checkFolder } from './folder.ts';

/** The program's streams and working directory. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

const DEFAULT_FOLDER = 'early-access';

/** Asks for each choice. Nothing is written before the last answer. */
export interface Questions {
  folder(): Promise<string>;
  framework(): Promise<Framework>;
  store(framework: Framework): Promise<Store>;
}

/** Asks in the terminal. Ctrl+C and Escape end the program. */
export function createPrompts({ stdin: input, stdout: output, cwd }: Terminal): Questions {
  return {
    folder: async () =>
      answered(
        await text({
          message: 'Where should the project be?',
          placeholder: DEFAULT_FOLDER,
          defaultValue: DEFAULT_FOLDER,
          validate: (folder) => findFolderProblem(path.resolve(cwd, folder || DEFAULT_FOLDER)),
          input,
          output,
        }),
      ),
    framework: async () =>
      answered<Framework>(
        await select<Framework>({ message: 'Which framework?', options: listOptions(FRAMEWORKS), input, output }),
      ),
    store: async (framework) => {
      const options = listOptions(STORES).filter(({ value }) => hasStore(framework, value));
      return answered<Store>(await select<Store>({ message: 'Where are signups stored?', options, input, output }));
    },
  };
}

/** Takes the defaults without asking. */
export const WITH_DEFAULTS: Questions = {
  folder: async () => DEFAULT_FOLDER,
  framework: async () => 'vite',
  store: async () => 'sqlite',
};

/** Used if there is no terminal to ask in. */
export const REFUSED: Questions = {
  folder: () => failWithoutTerminal('name a folder'),
  framework: () => failWithoutTerminal('pass --framework'),
  store: () => failWithoutTerminal('pass --store'),
};

async function failWithoutTerminal(instead: string): Promise<never> {
  throw new Failure(`there is no terminal to ask in; ${instead}, or pass --yes for the defaults`, 2);
}

/** The prompts return a symbol for Ctrl+C and Escape. */
function answered<T extends string>(answer: T | symbol): T {
  // The exit code that shells return for a program stopped by Ctrl+C.
  if (typeof answer === 'symbol') throw new Failure('canceled; nothing was written', 130);
  return answer;
}

function findFolderProblem(folder: string): string | undefined {
  try {
    checkFolder(folder);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function listOptions<T extends string>(choices: Readonly<Record<T, Choice>>): (Choice & { value: T })[] {
  return listKeys(choices).map((value) => ({ value, ...choices[value] }));
}
