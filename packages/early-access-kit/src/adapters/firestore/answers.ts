export const COMMITTED = { writeResults: [{}], commitTime: '2025-06-01T00:00:00Z' };

/** Returns an error response in Google's format. */
export function refused(code: number, status: string, headers: HeadersInit = {}): Response {
  return Response.json({ error: { code, status, message: `because of ${status}` } }, { status: code, headers });
}

/** Returns the response to a read of a missing document. */
export function missing(readTime = new Date().toISOString()): Response {
  return Response.json([{ missing: 'projects/p/databases/(default)/documents/email_signups/nobody', readTime }]);
}
