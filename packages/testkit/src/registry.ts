import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type HttpServer, serveHttp } from './http-server.ts';

const run = promisify(execFile);

/** A package's document in the registry, also used for publishing, with the tarballs. */
interface Published {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, object>>;
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>;
}

/**
 * Starts an npm registry that serves the packed packages, lets anyone publish versions of its `own` packages, and
 * forwards all other requests to the configured registry. `npm create` and `npx` then work as they will after the
 * release.
 */
export async function startRegistry(tarballs: readonly string[], own: readonly string[] = []): Promise<HttpServer> {
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim().replace(/\/$/, '');
  const packages = new Map<string, Published>();
  const contents = new Map<string, Buffer>();
  const registry = await serveHttp(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [name = '', file] = pathname.slice(1).split('/-/');
    const found = packages.get(name);
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'PUT' && own.includes(name)) {
      const { _attachments = {}, ...published } = await readPublished(request);
      packages.set(name, { ...published, versions: { ...found?.versions, ...published.versions } });
      for (const [tarball, { data }] of Object.entries(_attachments))
        contents.set(tarball, Buffer.from(data, 'base64'));
      return reply(201, {});
    }
    if (found === undefined && !own.includes(name))
      return response.writeHead(302, { Location: `${upstream}${request.url}` }).end();
    const content = contents.get(file ?? '');
    if (content) return response.writeHead(200).end(content);
    return found && file === undefined ? reply(200, found) : reply(404, {});
  });
  for (const tarball of tarballs) {
    const manifest = JSON.parse((await run('tar', ['-xzOf', tarball, 'package/package.json'])).stdout);
    const { name, version }: { name: string; version: string } = manifest;
    const content = await readFile(tarball);
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const dist = { tarball: `${registry.origin}/${name}/-/${name}-${version}.tgz`, integrity };
    packages.set(name, { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } });
    contents.set(`${name}-${version}.tgz`, content);
  }
  return registry;
}

async function readPublished(request: Readable): Promise<Published> {
  return JSON.parse(await text(request));
}
