/**
 * A bare `node:http` server with `node:sqlite`: no routes, no rate limits, no headers, only one commit per group of
 * signups.
 */
import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { CREATE_TABLE, INSERT, PRAGMAS, parseSignup, type Signup } from '../signup.ts';

const db = new DatabaseSync(process.env.DATABASE_FILE ?? '');
for (const pragma of PRAGMAS) db.exec(`PRAGMA ${pragma}`);
db.exec(CREATE_TABLE);
const insert = db.prepare(INSERT);

let waiting: { readonly signup: Signup; readonly response: ServerResponse }[] = [];

function commit(): void {
  const group = waiting;
  waiting = [];
  db.exec('BEGIN IMMEDIATE');
  const results = group.map(({ signup: { email, session_id, source, referrer, submission_id } }) =>
    insert.run(email, session_id, source, referrer, submission_id, Date.now()),
  );
  db.exec('COMMIT');
  for (const [index, { response }] of group.entries()) {
    const isNew = results[index]?.changes === 1;
    response.writeHead(isNew ? 201 : 200, { 'Content-Type': 'application/json' });
    response.end(isNew ? '{"result":"created"}' : '{"result":"duplicate"}');
  }
}

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const signup = request.url === '/api/signups' && request.method === 'POST' ? parseSignup(text) : null;
    if (signup === null) {
      response.writeHead(400).end();
      return;
    }
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ signup, response });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object')
    process.stdout.write(`Serving http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => process.exit());
