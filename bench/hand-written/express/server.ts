/** Express with Prisma on SQLite. */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import express from 'express';
import { CREATE_TABLE, PRAGMAS, parseSignup } from '../signup.ts';
import { Prisma, PrismaClient } from './generated/client.ts';

const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${process.env.DATABASE_FILE}` }) });
// The adapter has one connection, so these settings stay in effect.
for (const pragma of PRAGMAS) await prisma.$queryRawUnsafe(`PRAGMA ${pragma}`);
await prisma.$executeRawUnsafe(CREATE_TABLE);

const app = express();
app.disable('x-powered-by');
app.post('/api/signups', express.text(), async (request, response) => {
  const signup = parseSignup(request.body);
  if (signup === null) {
    response.status(400).json({ error: 'invalid' });
    return;
  }
  try {
    await prisma.signup.create({ data: { ...signup, created_at: Date.now() }, select: { id: true } });
    response.status(201).json({ result: 'created' });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    response.json({ result: 'duplicate' });
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object')
    process.stdout.write(`Serving http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => process.exit());
