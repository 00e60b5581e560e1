export const COMMITTED = { writeResults: [{}], commitTime: '2025-06-01T00:00:00Z' };

/** A refusal in Google's words. */
export function refused(code: number, status: string, headers: HeadersInit = {}): Response {
  return Response.json({ error: { code, status, message: `because of ${status}` } }, { status: code, headers });
}

/** What a read of a missing document is answered with. */
export function missing(readTime = new Date().toISOString()): Response {
  return Response.json([{ missing: 'projects/p/databases/(default)/documents/email_signups/nobody', readTime }]);
}
