import { type NextRequest, NextResponse } from 'next/server';

/** In development, Next.js and React evaluate code and add inline styles. */
const DEVELOPMENT = process.env.NODE_ENV === 'development';

/** Gives every page a policy that only allows scripts of Next.js itself. */
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
