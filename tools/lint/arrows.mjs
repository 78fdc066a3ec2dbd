/**
 * The rooms of the tree and the arrows allowed between them (docs/architecture.md).
 * Whatever is not listed is refused by `npm run check`; tests may import anything.
 */
const folders = {
  islands: 'src/islands',
  ui: 'src/ui',
  lib: 'src/lib',
  stores: 'src/stores',
  api: 'src/api',
  contract: 'src/contract',
  site: 'site',
  routes: 'edge-api/routes',
  http: 'edge-api/http',
  domain: 'edge-api/domain',
  gateways: 'edge-api/gateways',
  jobs: 'edge-api/jobs',
  db: 'edge-api/db',
  tools: 'tools',
}

/** The four files at the top of the Worker, and the one a new owner edits (mails need its names). */
const files = {
  worker: 'edge-api/worker.ts',
  app: 'edge-api/app.ts',
  services: 'edge-api/services.ts',
  config: 'edge-api/config.ts',
  brand: 'site/brand.ts',
}

export const rooms = Object.entries(folders).map(([type, pattern]) => ({
  type,
  pattern,
  partialMatch: false,
}))

export const loneFiles = Object.entries(files).map(([category, pattern]) => ({ category, pattern }))

const allowed = {
  site: ['site', 'islands', 'ui', 'lib', 'contract'],
  islands: ['islands', 'stores', 'ui', 'lib', 'contract'],
  ui: ['ui', 'lib'],
  lib: ['lib'],
  stores: ['stores', 'api', 'contract', 'lib'],
  api: ['api', 'contract'],
  contract: ['contract'],
  worker: ['app', 'services', 'config', 'jobs', 'http'],
  app: ['http', 'routes', 'services', 'config'],
  services: ['config', 'db', 'domain', 'gateways', 'contract', 'brand'],
  config: ['contract'],
  brand: [],
  routes: ['routes', 'http', 'domain', 'contract'],
  http: ['http', 'domain', 'contract'],
  domain: ['domain', 'db', 'contract'],
  gateways: ['gateways', 'domain', 'contract'],
  jobs: ['jobs', 'domain'],
  db: ['db'],
  tools: ['tools', 'contract', 'db', 'site'],
}

const selector = (name) =>
  name in files ? { file: { categories: name } } : { element: { type: name } }

export const arrows = [
  { allow: { to: { module: { origin: 'external' } } } },
  { allow: { to: { module: { origin: 'core' } } } },
  ...Object.entries(allowed).flatMap(([from, targets]) =>
    targets.map((to) => ({ from: selector(from), allow: { to: selector(to) } })),
  ),
]
