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
/** The metrics, if they are on. Otherwise the path belongs to the host. */
export const METRICS_PATH = '/metrics';
/** A person's private page, if it is on. Otherwise the path belongs to the host. */
export const STATUS_PAGE = '/status';
const STATUS_ROUTE = /^\/status(\/(export|address|unsubscribe|erase))?$/;

/** Returns whether the path is the API's base or below it. */
export function isApi(path: string): boolean {
  return path === DEFAULT_BASE || path.startsWith(`${DEFAULT_BASE}/`);
}

/** Returns whether the path is a route of the status page. */
export function isStatusRoute(path: string): boolean {
  return isApi(path) && STATUS_ROUTE.test(path.slice(DEFAULT_BASE.length));
}

/** Returns whether visitors' pages POST to this path below the API's base. */
export function isPublicRoute(route: string): boolean {
  return JSON_ROUTES.includes(route) || /^\/(sessions\/[^/]+|confirm(\/renew)?|unsubscribe|links)$/.test(route);
}

/** Returns whether the path is one of the application's routes below `/api`, where a host may have others. */
export function isOwnRoute(path: string): boolean {
  if (!isApi(path)) return false;
  const route = path.slice(DEFAULT_BASE.length);
  return isPublicRoute(route) || OTHER_ROUTES.includes(route) || /^\/(admin|invites|mail-events)\//.test(route);
}

/**
 * Detects a mistake in the host's mount path: a kit request arrives under a path that is not one of the application's.
 * Null for other requests. Only checks signups, because a host may well have its own `/sessions`.
 */
export function findPathMistake(path: string): MountMistake | null {
  if (path === ROUTES.signups) return 'path-stripped';
  return path.endsWith(DEFAULT_BASE + ROUTES.signups) && path !== DEFAULT_BASE + ROUTES.signups
    ? 'path-prefixed'
    : null;
}
