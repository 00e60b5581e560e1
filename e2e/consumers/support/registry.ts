import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type HttpServer, serveHttp } from '@early-access-kit/testkit/http-server';

const run = promisify(execFile);

/**
 * Starts an npm registry that has the packed packages as published ones, and sends every other request on to the configured registry.
 * Through it `npm create` and `npx` work as they will after the release.
 */
export async function startRegistry(tarballs: readonly string[]): Promise<HttpServer> {
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim().replace(/\/$/, '');
  const packages = new Map(await Promise.all(tarballs.map(readPackage)));
  const registry = await serveHttp((request, response) => {
    const url = request.url ?? '/';
    const [name = '', rest] = url.slice(1).split('/-/');
    const found = packages.get(name);
    if (found === undefined) return response.writeHead(302, { Location: `${upstream}${url}` }).end();
    if (rest !== undefined) return response.writeHead(200).end(found.content);
    const { version } = found.manifest;
    const dist = { tarball: `${registry.origin}/${name}/-/${name}-${version}.tgz`, integrity: found.integrity };
    const document = { name, 'dist-tags': { latest: version }, versions: { [version]: { ...found.manifest, dist } } };
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  });
  return registry;
}

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly content: Buffer;
  readonly integrity: string;
}

async function readPackage(tarball: string): Promise<[string, Packed]> {
  const manifest = JSON.parse((await run('tar', ['-xzOf', tarball, 'package/package.json'])).stdout);
  const content = await readFile(tarball);
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  return [manifest.name, { manifest, content, integrity }];
}
