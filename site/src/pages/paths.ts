/**
 * Returns whether this path shows the landing page (SPEC section 2). Static hosts may also serve it by its file name.
 */
export function isLandingPath(pathname: string): boolean {
  return pathname === '/' || pathname === '/index.html';
}
