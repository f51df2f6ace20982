/**
 * The one place for Remix's options; `vite.config.ts` imports it.
 * Every `v3_*` future flag is on, so that the step to React Router 7 stays a rename; docs/decisions/web.md says why lazy
 * discovery is off.
 * @type {import('@remix-run/dev').VitePluginConfig}
 */
export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  serverModuleFormat: 'esm',
  ignoredRouteFiles: ['**/.*', '**/*.test.{ts,tsx}'],
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_routeConfig: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
