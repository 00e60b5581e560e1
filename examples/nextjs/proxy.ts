import { type NextRequest, NextResponse } from 'next/server';

/** Next.js and React evaluate code and add their own styles in development. */
const DEVELOPMENT = process.env.NODE_ENV === 'development';

/** Gives every page a policy that lets nothing run but what Next.js has put there itself. */
export function proxy(request: NextRequest) {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${DEVELOPMENT ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${DEVELOPMENT ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "connect-src 'self'",
    "form-action 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const headers = new Headers(request.headers);
  headers.set('Content-Security-Policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  return response;
}

/** The application's pages set their own policies. */
export const config = { matcher: '/((?!_next/static|_next/image|(?:api|admin|confirm|invite|unsubscribe)(?:/|$)).*)' };
