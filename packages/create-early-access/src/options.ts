import { parseArgs } from 'node:util';
import {
  FIRESTORE_PAGES,
  FRAMEWORKS,
  type Framework,
  hasKey,
  hasStore,
  listKeys,
  STORES,
  type Store,
} from './choices.ts';
import { Failure } from './failure.ts';
import { PACKAGE_MANAGERS, type PackageManager } from './install.ts';

/** The command line options. Undefined ones are asked for or get their default. */
export interface Options {
  readonly command: 'create' | 'help' | 'version';
  readonly folder: string | undefined;
  readonly framework: Framework | undefined;
  readonly store: Store | undefined;
  readonly packageManager: PackageManager | undefined;
  /** Asks nothing. */
  readonly yes: boolean;
  readonly install: boolean;
}

const keys = (choices: object) => listKeys(choices).join(', ');

export const HELP = `Creates a project with an early-access signup form and the server behind it.

  npm create early-access [folder] -- [options]

  --framework <name>        ${keys(FRAMEWORKS)}
  --store <name>            ${keys(STORES)}
  --package-manager <name>  ${keys(PACKAGE_MANAGERS)}; the one that runs this if it is not given
  --no-install              write the project only
  -y, --yes                 ask nothing: folder "early-access", Vite and SQLite unless given
  -v, --version             show the version
  -h, --help                show this

Existing files are never changed: the folder must be new or empty.
${FIRESTORE_PAGES}.
`;

/** Parses the command line. Throws a `Failure` with exit code 2 if it is invalid. */
export function readOptions(argv: readonly string[]): Options {
  const { values, positionals } = parse(argv);
  const [folder, unexpected] = positionals;
  if (unexpected !== undefined) throw new Failure(`name only one folder, without "${unexpected}"`, 2);
  const { framework, store, 'package-manager': packageManager, help, version, yes = false, install = true } = values;
  const chosen = {
    framework: parseChoice('--framework', FRAMEWORKS, framework),
    store: parseChoice('--store', STORES, store),
  };
  if (chosen.framework && chosen.store && !hasStore(chosen.framework, chosen.store))
    throw new Failure(FIRESTORE_PAGES, 2);
  return {
    command: help ? 'help' : version ? 'version' : 'create',
    folder,
    ...chosen,
    packageManager: parseChoice('--package-manager', PACKAGE_MANAGERS, packageManager),
    yes,
    install,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      allowNegative: true,
      options: {
        framework: { type: 'string' },
        store: { type: 'string' },
        'package-manager': { type: 'string' },
        install: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The rest of Node's message is advice on positional arguments.
    throw new Failure(`${error.message.split('. ')[0]}; --help lists the options`, 2);
  }
}

function parseChoice<T extends object>(option: string, choices: T, value: string | undefined) {
  if (value === undefined) return undefined;
  if (hasKey(choices, value)) return value;
  throw new Failure(`${option} must be one of ${keys(choices)}, not "${value}"`, 2);
}
