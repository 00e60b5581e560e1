import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Command, ConfigError, noArguments } from 'early-access-server/internal';
import { writeDashboard, writeScripts } from './dashboard-command.ts';
import { findFunctionsFolder, findSite, hasScripts } from './firebase-json.ts';
import { isObject, type JsonObject } from './json.ts';
import { callSchedules, waitForFunctions } from './schedules.ts';

export const EMULATORS_HELP = `\
  emulators             serve the pages, the functions and their schedules on this machine, without an account; emails are files
`;

/** Only exists in emulators. A project selected with `firebase use` is emulated under its own name. */
const DEMO_PROJECT = 'demo-early-access';
/** With firebase-tools' default of 30, a call fails while the function's process starts on a busy machine. */
const DISCOVERY_SECONDS = '600';

/** Builds the functions, writes the dashboard, and runs firebase-tools' emulators until they end. */
export const runEmulators: Command = async (context) => {
  noArguments(context, 'emulators');
  const { env, stdout } = context;
  const root = findProject(process.cwd());
  const config = readJson(path.join(root, 'firebase.json'));
  const folder = findFunctionsFolder(config);
  const site = findSite(config);
  if (folder === null || site === null)
    throw new ConfigError(`${path.join(root, 'firebase.json')} has no functions or no site; run init`);
  const functions = path.join(root, folder);
  const port = (name: string, otherwise: number) => readPort(config, name) ?? otherwise;
  const origin = `http://localhost:${port('hosting', 5000)}`;
  writeLocalSettings(functions, origin);
  // A shell, because npm and firebase are scripts on Windows.
  const options = {
    cwd: root,
    env: { ...env, FUNCTIONS_DISCOVERY_TIMEOUT: DISCOVERY_SECONDS },
    stdio: 'inherit',
    shell: true,
  } as const;
  if (spawnSync(`npm --prefix "${functions}" run build`, options).status !== 0) return 1;
  await writeDashboard({ ...context, args: [path.join(root, site, 'admin')] });
  if (hasScripts(config)) await writeScripts({ ...context, args: [path.join(root, site)] });

  const { projects } = readJson(path.join(root, '.firebaserc'));
  const project = isObject(projects) && typeof projects.default === 'string' ? projects.default : DEMO_PROJECT;
  stdout.write(`Starting   the emulators of ${project}\n`);
  // Hides the log of each request, but not warnings and output of the functions, such as links of emails.
  const command = `firebase emulators:start --project ${project} --only functions,firestore,hosting --log-verbosity QUIET`;
  const tools = spawn(command, options);
  const emulator = `http://127.0.0.1:${port('functions', 5001)}`;
  const ended = new AbortController();
  const announced = waitForFunctions(emulator, ended.signal).then(
    () =>
      stdout.write(`Serving    ${origin}
Mail       ${path.resolve(functions, '../data/mail')} (.eml files)
Admin      ${origin}/admin/
`),
    () => {}, // They have already stopped.
  );
  const schedules = callSchedules(emulator, project);
  // Ctrl+C reaches the emulators, too, which then export their data and stop.
  process.on('SIGINT', () => {});
  const code = await new Promise<number>((resolve) => tools.once('close', (status) => resolve(status ?? 1)));
  ended.abort();
  await Promise.all([announced, schedules.stop()]);
  if (code === 127) throw new ConfigError('firebase-tools is not installed: npm install --global firebase-tools');
  return code;
};

/** Returns the nearest folder with a `firebase.json`, because npm runs scripts in the functions' folder. */
function findProject(folder: string): string {
  if (existsSync(path.join(folder, 'firebase.json'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new ConfigError('there is no firebase.json here; run init in the folder of the project');
  return findProject(parent);
}

function readJson(file: string): JsonObject {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

function readPort({ emulators }: JsonObject, name: string): number | undefined {
  const emulator = isObject(emulators) ? emulators[name] : undefined;
  return isObject(emulator) && typeof emulator.port === 'number' ? emulator.port : undefined;
}

/** Writes settings for this machine only, which git and `firebase deploy` ignore. Existing settings are not changed. */
function writeLocalSettings(functions: string, origin: string): void {
  const settings = { PUBLIC_URL: origin, MAIL_FROM: 'hello@example.com', ADMIN_EMAIL: 'admin@example.com' };
  // Writes emails to files. firebase-tools would look up an empty secret in Secret Manager.
  const secrets = { SMTP_URL: 'file:../data/mail', INVITE_KEY: 'only-on-this-machine-0123456789abcdef' };
  for (const [name, values] of Object.entries({ '.env.local': settings, '.secret.local': secrets })) {
    const file = path.join(functions, name);
    const lines = Object.entries(values).map(([key, value]) => `${key}=${value}\n`);
    if (!existsSync(file)) writeFileSync(file, lines.join(''), { mode: 0o600 });
  }
}
