import type { RouteConfig } from '@remix-run/route-config';
import { flatRoutes } from '@remix-run/fs-routes';

/** Flat dotted files under `app/routes`; tests live elsewhere, so nothing there is served by accident. */
export default flatRoutes() satisfies RouteConfig;
