/**
 * The import table of the architecture (docs/architecture.md). Anything not allowed here fails `npm run validate`.
 * Paths are matched against the resolved file, so `#app/*` aliases are covered too.
 */
const OWN = '^(app|models|cli|scripts|bench|tests)/';

/** What other rooms, routes and commands may import of a feature: its operations, pages, API and components. */
const FACE = '^app/features/[a-z]+/index(\\.server\\.ts|\\.tsx?)$';
const DOORS = '^app/features/[a-z/-]+(pages|api)\\.server\\.ts$';
const MODELS = '^models/index\\.server\\.ts$';
/** Starts the embedded engine before the models are loaded; the server alone does that. */
const EARLY_ENGINE = '^models/store/embedded\\.server\\.ts$';
const INTEGRATIONS = '^app/integrations/[a-z-]+\\.server\\.ts$';
const BASE = ['^app/platform/', '^app/domain/'];

const layer = (name, from, allowed, fromNot) => ({
  name,
  severity: 'error',
  from: { path: from, ...(fromNot ? { pathNot: fromNot } : {}) },
  to: { path: OWN, pathNot: allowed },
});
const packagesOnly = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: {
    dependencyTypesNot: ['local', 'aliased', 'aliased-subpath-import', 'localmodule', 'type-only'],
    pathNot: allowed,
  },
});

module.exports = {
  forbidden: [
    { name: 'no-circles-between-files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circles-between-rooms',
      severity: 'error',
      scope: 'folder',
      from: { path: '^app/features/[a-z]+$' },
      to: { path: '^app/features/[a-z]+$', circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: {
        couldNotResolve: true,
        pathNot: '^virtual:|^#(engine-(background|trial|worker)$|threads/)',
      },
    },

    layer('domain', '^app/domain/', '^app/domain/'),
    packagesOnly('domain-packages', '^app/domain/', '^(node_modules/)?(@types/)?(zod|big\\.js|luxon)(/|$)'),
    layer('ui', '^app/ui/', '^app/(ui|domain)/'),
    layer('offline', '^app/offline/', '^app/(offline|ui|domain)/'),
    layer('integrations', '^app/integrations/', '^app/(integrations|domain)/'),
    layer('platform', '^app/platform/', [...BASE, MODELS, INTEGRATIONS]),
    {
      name: 'features-enter-each-other-by-the-face',
      severity: 'error',
      from: { path: '^app/features/([a-z]+)/' },
      to: { path: '^app/features/', pathNot: ['^app/features/$1/', FACE] },
    },
    layer(
      'features',
      '^app/features/',
      ['^app/features/', ...BASE, '^app/ui/', MODELS, INTEGRATIONS],
      '^app/features/offline/',
    ),
    // The pages of the installed app stand on its store and outbox.
    layer('features-offline', '^app/features/offline/', [
      '^app/features/',
      ...BASE,
      '^app/(ui|offline)/',
      MODELS,
    ]),
    layer('routes', '^app/routes/', [
      FACE,
      DOORS,
      ...BASE,
      '^app/ui/',
      '^app/server/operations\\.server\\.ts$',
    ]),
    layer('root-and-entries', '^app/(root|entry\\.[a-z]+)\\.tsx$', [
      FACE,
      ...BASE,
      '^app/(ui|offline|styles)',
      '^app/server/(bootstrap|foreign-server|lifecycle)\\.server\\.ts$',
    ]),
    layer('composition', '^app/server/', [
      '^app/server/',
      FACE,
      DOORS,
      ...BASE,
      MODELS,
      EARLY_ENGINE,
      INTEGRATIONS,
    ]),
    {
      name: 'nobody-imports-the-composition',
      severity: 'error',
      from: {
        path: '^(app|models|cli)/',
        pathNot:
          '^app/(server|routes)/|^app/entry\\.server\\.tsx$|^cli/(context|commands/(worker|mcp))\\.ts$',
      },
      to: { path: '^app/server/' },
    },
    layer('models', '^models/', '^(models|app/domain)/', '^models/engine/'),
    layer('engine', '^models/engine/', '^models/engine/'),
    packagesOnly(
      'engine-packages',
      '^models/engine/',
      '^(node_modules/)?(bson|better-sqlite3)(/|$)|^node:|^(net|fs|path|os|crypto|worker_threads|events|readline|stream|zlib|util|timers|buffer|url|module|perf_hooks|string_decoder|assert)(/promises)?$',
    ),
    {
      name: 'engine-only-from-connection',
      severity: 'error',
      from: {
        path: '^(models|app|cli)/',
        pathNot: '^models/(engine/|store/(connection|embedded)\\.server\\.ts$)|^cli/commands/db[a-z-]*\\.ts$',
      },
      to: { path: '^models/engine/' },
    },
    {
      name: 'no-database-packages-in-the-app',
      severity: 'error',
      from: { path: '^app/(routes|ui|features|platform|offline|server)/' },
      to: { path: '^node_modules/(mongoose|mongodb|stripe)/' },
    },
    layer('cli', '^cli/', ['^cli/', FACE, ...BASE], '^cli/(context|commands/(db[a-z-]*|mcp|worker))\\.ts$'),
    layer('cli-context', '^cli/context\\.ts$', [
      '^cli/',
      FACE,
      ...BASE,
      '^app/server/composition\\.server\\.ts$',
      MODELS,
    ]),
    layer('cli-worker', '^cli/commands/worker\\.ts$', [
      '^cli/',
      FACE,
      ...BASE,
      '^app/server/worker[a-z-]*\\.server\\.ts$',
    ]),
    // Programs that are started at the terminal are offered the calls of the API.
    layer('cli-mcp', '^cli/commands/mcp\\.ts$', [
      '^cli/',
      FACE,
      ...BASE,
      '^app/server/operations\\.server\\.ts$',
    ]),
    layer('cli-db', '^cli/commands/db[a-z-]*\\.ts$', ['^cli/', FACE, ...BASE, '^models/engine/index\\.ts$']),
    {
      name: 'server-modules-stay-on-the-server',
      severity: 'error',
      from: {
        path: '^app/(features|ui|offline|domain|entry\\.client)',
        pathNot: '\\.server\\.tsx?$',
      },
      to: { path: '\\.server\\.tsx?$|^models/|^cli/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts'],
    },
    exclude: { path: '^build/' },
  },
};
