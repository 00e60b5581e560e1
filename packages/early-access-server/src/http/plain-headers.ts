/** Of every answer that is no page: it is what it says it is, and whoever opens it as a page gets nothing that runs, loads or is framed. */
export const PLAIN_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
};
