import { DEFAULT_BASE, ROUTES } from 'early-access-kit/internal';
import type { MountMistake } from '../../app/access/host-mistakes.ts';

const JSON_ROUTES: readonly string[] = Object.values(ROUTES);
export const CHALLENGE_ROUTE = '/human-challenge';
export const COUNT_ROUTE = '/count';
/** The Model Context Protocol. */
export const MCP_ROUTE = '/admin/mcp';
const OTHER_ROUTES: readonly string[] = [
  '/brand',
  '/brand/mark',
  '/brand/font',
  '/openapi.json',
  CHALLENGE_ROUTE,
  COUNT_ROUTE,
];
/** What monitoring reads, if it is on. Otherwise the path is the host's. */
export const METRICS_PATH = '/metrics';
/** The private page of a person, if there is one. Otherwise the path is the host's. */
export const STATUS_PAGE = '/status';
const STATUS_ROUTE = /^\/status(\/(export|address|unsubscribe|erase))?$/;

/** Whether the path is that of the API or below it. */
export function isApi(path: string): boolean {
  return path === DEFAULT_BASE || path.startsWith(`${DEFAULT_BASE}/`);
}

/** Whether the path is that of a route of the status page. */
export function isStatusRoute(path: string): boolean {
  return isApi(path) && STATUS_ROUTE.test(path.slice(DEFAULT_BASE.length));
}

/** Whether the path below the API's base is one that visitors' pages POST to. */
export function isPublicRoute(route: string): boolean {
  return JSON_ROUTES.includes(route) || /^\/(sessions\/[^/]+|confirm(\/renew)?|unsubscribe|links)$/.test(route);
}

/** Whether the path is one of the application's own routes below `/api`. A host may have others there. */
export function isOwnRoute(path: string): boolean {
  if (!isApi(path)) return false;
  const route = path.slice(DEFAULT_BASE.length);
  return isPublicRoute(route) || OTHER_ROUTES.includes(route) || /^\/(admin|invites|mail-events)\//.test(route);
}

/**
 * The host's mistake if a request of the kit arrives under this path, which is none of the application's; null if it is
 * no such request. It judges by signups alone, because a host may well have another `/sessions`.
 */
export function findPathMistake(path: string): MountMistake | null {
  if (path === ROUTES.signups) return 'path-stripped';
  return path.endsWith(DEFAULT_BASE + ROUTES.signups) && path !== DEFAULT_BASE + ROUTES.signups
    ? 'path-prefixed'
    : null;
}
