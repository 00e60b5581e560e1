import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import { killGroup, startProcess } from '@early-access-kit/testkit/child-process';
import { freePort } from '@early-access-kit/testkit/http-server';
import { installFirebaseTools, installPackages } from '@early-access-kit/testkit/installed-packages';
import { callSchedules, listFunctions } from '../init/schedules.ts';
import { type FirestoreEngine, startFirestoreEngine } from './firestore-engine.ts';

interface Ports {
  readonly site: number;
  readonly firestore: number;
  readonly functions: number;
  /** The port of the Auth emulator, which only runs if it is set. */
  readonly auth?: number;
}

interface RunOptions {
  readonly ports: Ports;
  /** Environment variables of the functions' processes. */
  readonly env?: NodeJS.ProcessEnv;
  /** Interval of the schedules. Default: every minute. */
  readonly scheduleMs?: number;
  /** Called for each line that firebase-tools and the functions print. */
  readonly onLine?: (line: string) => void;
}

export interface EmulatorSuiteOptions extends RunOptions {
  /** The folder of a built site: `client` is published, beside the build's `firebase.json`. */
  readonly site: string;
  /** Values of the functions' parameters. All others have their default. */
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** A project with installed and built functions, and their settings. */
export interface ProjectOptions extends RunOptions {
  readonly folder: string;
  readonly rules: string;
  /** The functions and the site, as in `firebase.json`. */
  readonly config: { readonly functions: object; readonly hosting: object };
}

export interface EmulatorSuite {
  /** The site's URL: `http://localhost:PORT`. */
  readonly origin: string;
  readonly firestore: FirestoreEngine;
  readonly functionsUrl: string;
  /** Returns the output of firebase-tools and the functions so far. */
  log(): string;
  stop(): Promise<void>;
}

export const PROJECT = 'demo-early-access';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const BUNDLE = path.join(ROOT, 'packages/early-access-firebase/dist-functions');
const RULES = path.join(ROOT, 'packages/early-access-firebase/firestore.rules');

/** Installs firebase-tools and the functions' packages once, before several processes would do it at the same time. */
export function installEmulators(): void {
  installFirebaseTools();
  installPackages(BUNDLE);
}

/**
 * Returns the parameters of the built functions that have a default. firebase-tools asks for each parameter without a
 * value in a file.
 */
export function parameterDefaults(): Readonly<Record<string, string | undefined>> {
  return parseEnv(readFileSync(path.join(BUNDLE, 'defaults.env'), 'utf8'));
}

/** Runs the whole product without an account: the functions' bundle and the built site, like `startProject`. */
export async function startEmulatorSuite(options: EmulatorSuiteOptions): Promise<EmulatorSuite> {
  const { folder, hosting } = writeProject(options);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const functions = [{ source: 'functions', codebase: 'early-access-kit', runtime: 'nodejs22' }];
  const project = { ...options, folder, rules: readFileSync(RULES, 'utf8'), config: { functions, hosting } };
  try {
    const suite = await startProject(project);
    return { ...suite, stop: () => suite.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Runs a project on firebase-tools' emulators, with a Firestore that is empty at each start. */
export async function startProject(options: ProjectOptions): Promise<EmulatorSuite> {
  const { folder, rules, ports, scheduleMs = 60_000 } = options;
  const functionsHost = `127.0.0.1:${ports.functions}`;
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const firestore = await startFirestoreEngine({ projectId: PROJECT, rules, port: ports.firestore, functionsHost });
    undo.push(firestore.stop);
    await writeConfig(options);
    const services = ['functions', 'hosting', ...(ports.auth === undefined ? [] : ['auth'])];
    const env = { ...options.env, FIRESTORE_EMULATOR_HOST: firestore.host };
    const tools = startTools(folder, services, options.onLine, env);
    undo.push(tools.stop);
    await tools.ready;

    const functionsUrl = `http://${functionsHost}`;
    const functions = await listFunctions(functionsUrl);
    if (functions.length === 0) throw new Error(`the functions could not be loaded:\n${tools.log()}`);
    // The suffix is the generation of the functions, which are loaded once.
    for (const { id, eventTrigger } of functions) {
      const document = eventTrigger?.eventFilterPathPatterns?.document;
      if (document !== undefined) await firestore.register({ key: `${id}-0`, document });
    }
    undo.push(callSchedules(functionsUrl, PROJECT, scheduleMs).stop);
    return { origin: siteOrigin(ports), firestore, functionsUrl, log: tools.log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const siteOrigin = ({ site }: Ports) => `http://localhost:${site}`;

/** Writes the files to deploy, and the settings, to a temporary folder. */
function writeProject({ site, ports, settings, secrets }: EmulatorSuiteOptions) {
  const folder = mkdtempSync(path.join(tmpdir(), 'early-access-firebase-'));
  const functions = path.join(folder, 'functions');
  cpSync(BUNDLE, functions, { recursive: true });
  symlinkSync(installPackages(BUNDLE), path.join(functions, 'node_modules'));
  cpSync(site, path.join(folder, 'client'), { recursive: true });
  const parameters = { ...parameterDefaults(), PUBLIC_URL: siteOrigin(ports), ...settings };
  writeSettings(functions, { parameters, secrets });
  const { hosting } = JSON.parse(readFileSync(path.join(site, '../firebase.json'), 'utf8'));
  return { folder, hosting: { ...hosting, public: 'client' } };
}

/** Writes parameters and secrets to the files that the Functions emulator reads. */
export function writeSettings(
  functions: string,
  { parameters, secrets }: Record<'parameters' | 'secrets', Readonly<Record<string, string | undefined>>>,
): void {
  writeFileSync(path.join(functions, `.env.${PROJECT}`), dotenv(parameters));
  // An empty secret would be looked up in Secret Manager.
  writeFileSync(path.join(functions, '.secret.local'), dotenv({ INVITE_KEY: 'not used', ...secrets }));
}

const CONFIG = 'firebase.emulators.json';

async function writeConfig({ folder, config: { functions, hosting }, ports }: ProjectOptions): Promise<void> {
  const listen = async (port?: number) => ({ host: '127.0.0.1', port: port ?? (await freePort()) });
  const emulators = {
    functions: await listen(ports.functions),
    hosting: await listen(ports.site),
    hub: await listen(),
    logging: await listen(),
    eventarc: await listen(),
    tasks: await listen(),
    ...(ports.auth !== undefined && { auth: await listen(ports.auth) }),
    ui: { enabled: false },
  };
  writeFileSync(path.join(folder, CONFIG), JSON.stringify({ functions, hosting, emulators }));
}

/** Formats values in double quotes, as firebase-tools reads them. */
function dotenv(values: Readonly<Record<string, string | undefined>>): string {
  const line = ([name, value = '']: [string, string | undefined]) =>
    `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"\n`;
  return Object.entries(values).map(line).join('');
}

/** Starts firebase-tools as a process group leader, so that Ctrl+C reaches it once and all of it can be stopped. */
function startTools(
  folder: string,
  services: readonly string[],
  onLine: (line: string) => void = () => {},
  env: NodeJS.ProcessEnv = {},
) {
  mkdirSync(path.join(folder, 'tmp'), { recursive: true });
  const program = [process.execPath, path.join(installFirebaseTools(), 'lib/bin/firebase.js'), 'emulators:start'];
  const only = ['--only', services.join(), '--project', PROJECT, '--config', CONFIG];
  const child = startProcess([...program, ...only], {
    cwd: folder,
    detached: true,
    env: {
      PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      // Separate from this user's account and from parallel runs.
      ...{ HOME: folder, XDG_CONFIG_HOME: folder, TMPDIR: path.join(folder, 'tmp') },
      // Each parallel call needs a process.
      FUNCTIONS_EMULATOR_PARALLEL: '4',
      // Seconds. With the default of 30, calls fail while the function's process is still starting.
      FUNCTIONS_DISCOVERY_TIMEOUT: '600',
      // Prevents prompts and update checks, including npm's, which waits 10 s for an unreachable registry.
      ...{ CI: '1', NO_UPDATE_NOTIFIER: '1', npm_config_offline: 'true', METADATA_SERVER_DETECTION: 'none' },
      ...env,
    },
  });
  const { stdout } = child.process;
  if (stdout !== null) createInterface({ input: stdout }).on('line', onLine);
  return {
    log: () => child.printed.stdout + child.printed.stderr,
    ready: child.printedMatch('stdout', /All emulators ready/),
    async stop() {
      await child.end('SIGINT');
      killGroup(child.process.pid);
    },
  };
}
