import { NODATA, NOTFOUND, promises } from 'node:dns';
import type { Dns } from '../app/ports/dns.ts';

/** Uses the machine's DNS servers by default. */
export function nodeDns(servers?: readonly string[]): Dns {
  const resolver = new promises.Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return {
    async resolve(domain, type) {
      try {
        if (type !== 'MX') return await resolver.resolve(domain, type);
        return (await resolver.resolveMx(domain)).map(({ exchange }) => exchange);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        if (code === NOTFOUND) return null;
        if (code === NODATA) return [];
        throw error;
      }
    },
  };
}
