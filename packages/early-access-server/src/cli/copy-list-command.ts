import { parseArgs } from 'node:util';
import { ConfigError } from '../app/config-error.ts';
import { copyList } from '../app/import/copy-list.ts';
import type { Awaitable } from '../app/ports/log.ts';
import type { Store } from '../app/ports/store.ts';
import { readDataDir } from '../settings/config.ts';
import type { Environment } from '../settings/setting.ts';
import { SETTINGS } from '../settings/setting-list.ts';
import { type Command, UsageError } from './command.ts';

/** Opens a store of one kind, as the source or the target. */
type OpenStore = (env: Environment, isSource: boolean) => Awaitable<Store>;

const SERVER_STORES: Readonly<Record<string, OpenStore>> = {
  async sqlite(env, isSource) {
    const { openData, openExistingData } = await import('./data-folder.ts');
    return isSource ? openExistingData(readDataDir(env), {}) : openData(readDataDir(env));
  },
  async postgres(env) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(SETTINGS.DATABASE_URL.require(env), {});
  },
};

/** Creates the command that copies the list between the server's stores and `others`, in either direction. */
export function copyListCommand(others: Readonly<Record<string, OpenStore>>): Command {
  const stores = new Map(Object.entries({ ...SERVER_STORES, ...others }));
  return async ({ args, env, stdout, stderr }) => {
    const { from = '', to = '' } = readOptions(args);
    const [openSource, openTarget] = [stores.get(from), stores.get(to)];
    if (openSource === undefined || openTarget === undefined || from === to)
      throw new UsageError(`usage: copy --from <store> --to <another>: ${[...stores.keys()].join(', ')}`);
    const source = await openSource(env, true);
    try {
      const waiting = (await source.mails.counts()).get('queued') ?? 0;
      if (waiting > 0)
        throw new ConfigError(
          `${waiting} emails of ${from} are waiting to be sent, and are not copied; wait until they are sent`,
        );
      const requests = await source.listStatus.countRequests();
      if (requests > 0) {
        throw new ConfigError(
          `${requests} people of ${from} are waiting for the list to open, and are not copied; open it first, or erase them`,
        );
      }
      const target = await openTarget(env, false);
      try {
        let progress = { people: 0, added: 0, different: 0 };
        for await (progress of copyList(source, target)) stderr.write(`${progress.people} people\n`);
        const { people, added, different } = progress;
        stdout.write(`Copied ${people} people from ${from} to ${to}: ${added} are new there.\n`);
        if (different > 0) stdout.write(`${different} were already there in another state, and are unchanged.\n`);
        return different === 0 ? 0 : 1;
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  };
}

function readOptions(args: readonly string[]) {
  try {
    const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch {
    return {};
  }
}
