/**
 * The import table of the architecture. Anything not allowed here fails the lint step.
 * Paths are matched against the resolved file, so `#app/*` aliases are covered too.
 */
const own = '^(app|models|cli|scripts|bench|tests)/';
const layer = (name, from, allowedOwn, extra = {}) => ({
  name,
  severity: 'error',
  from: { path: from, ...(extra.fromNot ? { pathNot: extra.fromNot } : {}) },
  to: { path: own, pathNot: allowedOwn },
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
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:|^#engine-worker$' },
    },

    layer('domain-imports-only-itself', '^app/domain/', '^app/domain/'),
    packagesOnly('domain-packages', '^app/domain/', '^(node_modules/)?(@types/)?(zod|big\\.js|luxon)(/|$)'),
    layer('engine-imports-only-itself', '^models/engine/', '^models/engine/'),
    packagesOnly(
      'engine-packages',
      '^models/engine/',
      '^(node_modules/)?(bson|mingo|lmdb)(/|$)|^node:|^(net|fs|path|os|crypto|worker_threads|events|stream|zlib|util|timers|buffer|url|module|perf_hooks|string_decoder|assert)(/promises)?$',
    ),
    layer('models', '^models/', '^(models|app/domain)/', { fromNot: '^models/engine/' }),
    {
      name: 'engine-only-from-connection',
      severity: 'error',
      from: {
        path: '^(models|app|cli)/',
        pathNot: '^models/(engine/|connection\\.server\\.ts$)|^cli/commands/db[a-z-]*\\.ts$',
      },
      to: { path: '^models/engine/' },
    },
    layer('integrations', '^app/integrations/', '^app/(domain|integrations)/'),
    layer('services', '^app/services/', '^app/(services|domain|integrations)/|^models/index\\.server\\.ts$'),
    layer('http', '^app/http/', '^app/(http|services|domain)/', {
      fromNot: '^app/http/compose\\.server\\.ts$',
    }),
    layer(
      'http-compose',
      '^app/http/compose\\.server\\.ts$',
      '^app/(http|services|domain|integrations)/|^models/index\\.server\\.ts$',
    ),
    layer('root-and-entries', '^app/(root|entry\\.[a-z]+)\\.tsx$', '^app/(http|components|domain|styles)'),
    layer('components', '^app/components/', '^app/(components|domain|offline)/'),
    layer('offline', '^app/offline/', '^app/(offline|components|domain)/'),
    layer('routes', '^app/routes/', '^app/(http|services|domain|components)/'),
    {
      name: 'routes-no-database-packages',
      severity: 'error',
      from: { path: '^app/(routes|components|services|http)/' },
      to: { path: '^node_modules/(mongoose|mongodb|stripe)/' },
    },
    layer('cli', '^cli/', '^(cli/|app/(services|domain)/)', {
      fromNot: '^cli/(context|commands/db[a-z-]*)\\.ts$',
    }),
    layer(
      'cli-context',
      '^cli/context\\.ts$',
      '^(cli/|app/(services|domain|integrations)/|models/index\\.server\\.ts$)',
    ),
    layer(
      'cli-db',
      '^cli/commands/db[a-z-]*\\.ts$',
      '^(cli/|app/(services|domain)/|models/engine/index\\.ts$)',
    ),
    {
      name: 'server-modules-stay-on-the-server',
      severity: 'error',
      from: { path: '^app/(components|offline|domain)/|^app/entry\\.client\\.tsx$' },
      to: { path: '\\.server\\.tsx?$|^models/|^cli/' },
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
