import type { AdminRouter } from './admin-route.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { campaignRoutes } from './campaign-routes.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { importRoutes } from './import-routes.ts';
import { listRoutes } from './list-routes.ts';
import { mailRoutes } from './mail-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { shareRoutes } from './share-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** The routes below `/api/admin`. */
export function adminRoutes(router: AdminRouter): void {
  signInRoutes(router);
  mailRoutes(router);
  healthRoutes(router);
  dashboardRoutes(router);
  peopleRoutes(router);
  importRoutes(router);
  campaignRoutes(router);
  listRoutes(router);
  shareRoutes(router);
  webhookRoutes(router);
  apiKeyRoutes(router);
}
