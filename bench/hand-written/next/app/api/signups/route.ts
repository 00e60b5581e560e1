/** A route handler of Next.js with better-sqlite3. */
import Database from 'better-sqlite3';
import { CREATE_TABLE, INSERT, PRAGMAS, parseSignup } from '../../../../signup.ts';

let insert: Database.Statement | undefined;

/** Opened by the first request: a build loads this file, too. */
function open(): Database.Statement {
  const db = new Database(process.env.DATABASE_FILE);
  for (const pragma of PRAGMAS) db.pragma(pragma);
  db.exec(CREATE_TABLE);
  return db.prepare(INSERT);
}

export async function POST(request: Request): Promise<Response> {
  const signup = parseSignup(await request.text());
  if (signup === null) return Response.json({ error: 'invalid' }, { status: 400 });
  insert ??= open();
  const { email, session_id, source, referrer, submission_id } = signup;
  const isNew = insert.run(email, session_id, source, referrer, submission_id, Date.now()).changes === 1;
  return Response.json({ result: isNew ? 'created' : 'duplicate' }, { status: isNew ? 201 : 200 });
}
