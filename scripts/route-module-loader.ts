import path from 'node:path';
import type { Plugin } from 'vite';

const OURS = path.resolve(import.meta.dirname, '../app/ui/connection/route-modules.ts');

/**
 * Replaces `@remix-run/react`'s loader of route modules with `app/ui/connection/route-modules.ts` in the
 * browser build. A release of Remix without that file stops the build, so that its page reload is not left in by accident.
 */
export function routeModuleLoader(): Plugin {
  let isBrowser = false;
  let replaced = 0;
  return {
    name: 'vialbook-route-module-loader',
    enforce: 'pre',
    apply: 'build',
    configResolved(config) {
      isBrowser = !config.build.ssr;
    },
    resolveId(source, importer) {
      const isLoader = source === './routeModules.js' && importer?.includes('/@remix-run/react/dist/esm/');
      if (!isBrowser || !isLoader) return null;
      replaced += 1;
      return OURS;
    },
    buildEnd(error) {
      if (isBrowser && !error && replaced === 0)
        this.error('Remix no longer loads route modules through routeModules.js');
    },
  };
}
