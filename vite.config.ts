import { vitePlugin as remix } from '@remix-run/dev';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import remixOptions from './remix.config.js';

declare module '@remix-run/server-runtime' {
  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * Fails the build when a module that must stay on the server reaches a browser bundle.
 * Remix guards files named `*.server.*`; this guards whole layers and packages.
 */
function serverOnlyGuard(): Plugin {
  const forbidden =
    /(^|\/)(models|cli)\/|\/node_modules\/(mongoose|mongodb|better-sqlite3|stripe|pino|pdfkit|@node-rs)\//;
  return {
    name: 'vialbook-server-only-guard',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer, options) {
      if (options?.ssr || !importer) return null;
      const bare = /^(mongoose|mongodb|better-sqlite3|stripe|pino|pdfkit|@node-rs\/.*|node:.*)$/.test(source);
      if (bare || /^#(models|cli)\//.test(source)) {
        throw new Error(`"${source}" is server-only but was imported by ${importer} for the browser`);
      }
      return null;
    },
    load(id, options) {
      if (options?.ssr) return null;
      const local = id.startsWith(process.cwd()) ? id.slice(process.cwd().length + 1) : id;
      if (forbidden.test(local)) throw new Error(`server-only module in a browser bundle: ${local}`);
      return null;
    },
  };
}

/** What pages load in the browser. Prepared at the start of `npm run dev`: a package that is found later reloads the page. */
const BROWSER_PACKAGES = [
  ...['react', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client', '@remix-run/react'],
  ...['@conform-to/react', '@conform-to/zod/v4', 'zod', 'zod/mini', 'big.js', 'luxon'],
  ...['@simplewebauthn/browser', 'd3-scale', 'd3-shape', 'idb', 'uqr'],
];

export default defineConfig({
  plugins: [serverOnlyGuard(), tailwindcss(), remix(remixOptions)],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    // Without names: the list of all files is part of what the first page loads.
    rollupOptions: { output: { chunkFileNames: 'assets/[hash].js', entryFileNames: 'assets/[hash].js' } },
  },
  // For `npm run dev`; folders by their whole path, because the repository itself may lie in one of that name.
  optimizeDeps: { include: BROWSER_PACKAGES },
  server: {
    watch: {
      ignored: ['build', 'cli', 'data', 'tests', 'tmp'].map((name) =>
        path.join(import.meta.dirname, name, '**'),
      ),
    },
  },
});
