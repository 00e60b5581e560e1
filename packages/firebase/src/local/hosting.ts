import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import path from 'node:path';
import express, { type Request, type Response } from 'express';
import type { FirebaseJson } from './firebase-json.ts';
import { type Listening, listen } from './listen.ts';

export interface HostingOptions {
  readonly config: FirebaseJson['hosting'];
  /** The folder that the configuration's paths are relative to. */
  readonly root: string;
  readonly port: number;
  /** The URL of the function of a rewrite. */
  functionUrl(name: string): string;
  /** Maps each address in the built files to the one to serve instead. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Serves a site as Firebase Hosting does: files first, then rewrites, then 404.html, with the headers of all matching rules. */
export function serveHosting({ config, root, port, functionUrl, addresses }: HostingOptions): Promise<Listening> {
  const folder = path.resolve(root, config.public);
  const withAddresses = (text: string) =>
    [...addresses].reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);
  const app = express().disable('x-powered-by');
  app.use((incoming, response, next) => {
    for (const { source, headers } of config.headers) {
      if (!fits(incoming.path, source)) continue;
      for (const { key, value } of headers) response.setHeader(key, withAddresses(value));
    }
    next();
  });
  const changed = new Map<string, string>();
  for (const file of globSync('**/*.js', { cwd: folder })) {
    const script = readFileSync(path.join(folder, file), 'utf8');
    if (withAddresses(script) !== script) changed.set(`/${file.split(path.sep).join('/')}`, withAddresses(script));
  }
  app.use((incoming, response, next) => {
    const script = changed.get(incoming.path);
    // Not cached, because the addresses may differ after a restart.
    if (script === undefined) next();
    else response.type('js').set('Cache-Control', 'no-cache').send(script);
  });
  const files = express.static(folder, { cacheControl: false, dotfiles: 'ignore', redirect: false });
  app.use((incoming, response, next) => {
    if (config.ignore.some((glob) => fits(incoming.path, glob))) next();
    else files(incoming, response, next);
  });
  app.use((incoming, response, next) => {
    const isFolder = !incoming.path.endsWith('/') && existsSync(path.join(folder, incoming.path, 'index.html'));
    if (isFolder) response.redirect(301, `${incoming.path}/${new URL(incoming.url, 'http://localhost').search}`);
    else next();
  });
  app.use((incoming, response, next) => {
    const rewrite = config.rewrites.find(({ source }) => fits(incoming.path, source));
    if (rewrite) forward(incoming, response, functionUrl(rewrite.function.functionId));
    else next();
  });
  app.use((_, response) => response.status(404).sendFile(path.join(folder, '404.html'), { cacheControl: false }));
  return listen(createServer(app), port);
}

/** Globs in `firebase.json` are relative to the root, with or without a leading slash; `!` negates one. */
function fits(pathname: string, glob: string): boolean {
  if (glob.startsWith('!')) return !fits(pathname, glob.slice(1));
  return path.posix.matchesGlob(pathname, glob.startsWith('/') ? glob : `/${glob}`);
}

/** Adds the visitor's address and the requested host as headers and passes one cookie only, as Hosting and the functions' front end do. */
function forward(incoming: Request, response: Response, url: string): void {
  const visitor = incoming.socket.remoteAddress ?? '';
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': [incoming.headers['x-forwarded-for'], visitor, '127.0.0.1'].filter(Boolean).join(', '),
    'x-forwarded-host': incoming.headers.host,
    cookie: (incoming.headers.cookie ?? '').split('; ').filter((cookie) => cookie.startsWith('__session=')),
  };
  const outgoing = request(url + incoming.originalUrl, { method: incoming.method, headers }, (reply) =>
    passOn(reply, response),
  );
  outgoing.on('error', () => response.status(503).end());
  incoming.pipe(outgoing);
}

function passOn(reply: IncomingMessage, response: ServerResponse): void {
  response.statusCode = reply.statusCode ?? 502;
  for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) response.setHeader(name, value);
  reply.pipe(response);
}
