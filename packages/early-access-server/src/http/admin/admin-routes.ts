import { Hono } from 'hono';
import type { AppEnv } from '../route-context.ts';
import { type AdminRoutesOptions, type AdminRoutesStore, adminRouter } from './admin-context.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { campaignRoutes } from './campaign-routes.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { importRoutes } from './import-routes.ts';
import { listRoutes } from './list-routes.ts';
import { mailRoutes } from './mail-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

export type { AdminRoutesStore };

/** The routes below `/api/admin`, which `app/admin/admin-api.ts` describes. */
export function adminRoutes(options: AdminRoutesOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const router = adminRouter(app, options);
  signInRoutes(router);
  mailRoutes(router);
  healthRoutes(router);
  dashboardRoutes(router);
  peopleRoutes(router);
  importRoutes(router);
  campaignRoutes(router);
  listRoutes(router);
  webhookRoutes(router);
  apiKeyRoutes(router);
  return app;
}
