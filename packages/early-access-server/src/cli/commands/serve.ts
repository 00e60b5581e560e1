import { jsonLog } from '../../app/log.ts';
import { type Config, type Environment, type Folders, readConfig } from '../config.ts';
import { dataPaths } from '../data-folder.ts';
import { type RunningServer, serve } from '../serve.ts';
import { type Command, noArguments } from './command.ts';

/** Makes the command that serves until SIGTERM or SIGINT; what it serves comes from `folders` unless the environment says otherwise. */
export function serveCommand(folders: Folders): Command {
  return async (context) => {
    noArguments(context, 'serve');
    const stopped = stopSignal();
    const config = readConfig(context.env, folders);
    const log = jsonLog(context.stderr);
    const server = await serve(config, log);
    context.stdout.write(describe(config, server, context.env));
    if (config.adminEmail === null) {
      log('warn', 'summary-off', { reason: 'ADMIN_EMAIL is not set, and the server may be reached from elsewhere' });
    }
    await stopped;
    log('info', 'stopping');
    await server.stop();
    log('info', 'stopped');
    return 0;
  };
}

/** Resolves at the first signal to stop. A second one ends the process at once, as it would any other. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

function describe(config: Config, { listening, siteFound }: RunningServer, env: Environment): string {
  const { database, mail } = dataPaths(config.dataDir);
  const host = listening.hosts.includes('127.0.0.1') ? 'localhost' : bracketed(listening.hosts[0] ?? 'localhost');
  const lines = [
    ['Serving', `http://${host}:${listening.port}`],
    ...(config.publicUrl === null ? [] : [['Public', config.publicUrl.href]]),
    ['Site', siteFound ? config.siteDir : `not built (npm run build), looked in ${config.siteDir}; the API is served`],
    ['Data', database],
    [
      'Mail',
      config.smtpUrl === null ? `${mail} (one .eml file each; set SMTP_URL to send)` : new URL(config.smtpUrl).host,
    ],
    ['Numbers', numbersFor(config, env)],
  ];
  return lines.map(([name = '', value]) => `${name.padEnd(8)} ${value}\n`).join('');
}

function numbersFor({ adminEmail }: Config, { ADMIN_EMAIL }: Environment): string {
  if (adminEmail === null) return 'off: set ADMIN_EMAIL to the address that may read them';
  return ADMIN_EMAIL ? 'Ctrl+Alt+A, for ADMIN_EMAIL' : `Ctrl+Alt+A, for ${adminEmail} (set ADMIN_EMAIL to change it)`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
