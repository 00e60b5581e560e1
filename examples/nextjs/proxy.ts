import { type NextRequest, NextResponse } from 'next/server';

/** Gives every page a policy that lets nothing run but what Next.js has put there itself. */
export function proxy(request: NextRequest) {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
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

/** The application's own pages have policies of their own. */
export const config = { matcher: '/((?!_next/static|_next/image|(?:api|admin|confirm|unsubscribe)(?:/|$)).*)' };
