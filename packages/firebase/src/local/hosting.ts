import { globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import path from 'node:path';
import express, { type Request, type Response } from 'express';
import type { FirebaseJson } from './firebase-json.ts';
import { type Listening, listen } from './listen.ts';

export interface HostingOptions {
  readonly config: FirebaseJson['hosting'];
  /** Where the paths of the configuration start. */
  readonly root: string;
  readonly port: number;
  /** Where the function of a rewrite is called. */
  functionUrl(name: string): string;
  /** Addresses that the build has built in, each with the one to serve in its place. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Serves a site as Firebase Hosting does: what a file is, before any rewrite, then 404.html; with the headers of every rule that fits. */
export function serveHosting({ config, root, port, functionUrl, addresses }: HostingOptions): Promise<Listening> {
  const folder = path.resolve(root, config.public);
  const withAddresses = (text: string) =>
    [...addresses].reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);
  const app = express().disable('x-powered-by');
  app.use((incoming, answer, next) => {
    for (const { source, headers } of config.headers) {
      if (!fits(incoming.path, source)) continue;
      for (const { key, value } of headers) answer.setHeader(key, withAddresses(value));
    }
    next();
  });
  const changed = new Map<string, string>();
  for (const file of globSync('**/*.js', { cwd: folder })) {
    const script = readFileSync(path.join(folder, file), 'utf8');
    if (withAddresses(script) !== script) changed.set(`/${file.split(path.sep).join('/')}`, withAddresses(script));
  }
  app.use((incoming, answer, next) => {
    const script = changed.get(incoming.path);
    // Not to be cached: the next start may have other addresses.
    if (script === undefined) next();
    else answer.type('js').set('Cache-Control', 'no-cache').send(script);
  });
  const files = express.static(folder, { cacheControl: false, dotfiles: 'ignore', redirect: false });
  app.use((incoming, answer, next) => {
    if (config.ignore.some((glob) => fits(incoming.path, glob))) next();
    else files(incoming, answer, next);
  });
  app.use((incoming, answer, next) => {
    const rewrite = config.rewrites.find(({ source }) => fits(incoming.path, source));
    if (rewrite) forward(incoming, answer, functionUrl(rewrite.function.functionId));
    else next();
  });
  app.use((_, answer) => answer.status(404).sendFile(path.join(folder, '404.html'), { cacheControl: false }));
  return listen(createServer(app), port);
}

/** Globs of `firebase.json` start at the root, with or without a slash. */
function fits(pathname: string, glob: string): boolean {
  return path.posix.matchesGlob(pathname, glob.startsWith('/') ? glob : `/${glob}`);
}

/** Names the visitor and the host that he asked, as Hosting and the front end of the functions do. */
function forward(incoming: Request, answer: Response, url: string): void {
  const visitor = incoming.socket.remoteAddress ?? '';
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': [incoming.headers['x-forwarded-for'], visitor, '127.0.0.1'].filter(Boolean).join(', '),
    'x-forwarded-host': incoming.headers.host,
  };
  const outgoing = request(url, { method: incoming.method, headers }, (reply) => passOn(reply, answer));
  outgoing.on('error', () => answer.status(503).end());
  incoming.pipe(outgoing);
}

function passOn(reply: IncomingMessage, answer: ServerResponse): void {
  answer.statusCode = reply.statusCode ?? 502;
  for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) answer.setHeader(name, value);
  reply.pipe(answer);
}
