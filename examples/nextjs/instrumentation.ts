/** Starts the background jobs in a long-running process (`next start` or `next dev`). On a serverless host, delete this file and use the cron route. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { earlyAccess } = await import('./server/early-access');
  (await earlyAccess()).start();
}
