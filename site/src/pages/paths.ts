/**
 * Whether the landing page is shown at this path (SPEC section 2). A static host may also serve it under its file name.
 */
export function isLandingPath(pathname: string): boolean {
  return pathname === '/' || pathname === '/index.html';
}
