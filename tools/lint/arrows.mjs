/**
 * The rooms of the tree and the arrows allowed between them (docs/architecture.md).
 * Whatever is not listed is refused by `npm run check`; tests may import anything.
 */
const room = (type, pattern) => ({ type, pattern, partialMatch: false })

export const rooms = [
  room('islands', 'src/islands/**/*'),
  room('ui', 'src/ui/**/*'),
  room('lib', 'src/lib/**/*'),
  room('stores', 'src/stores/**/*'),
  room('api', 'src/api/**/*'),
  room('contract', 'src/contract/**/*'),
  room('site', 'site/**/*'),
  room('worker', 'edge-api/worker.ts'),
  room('app', 'edge-api/app.ts'),
  room('services', 'edge-api/services.ts'),
  room('config', 'edge-api/config.ts'),
  room('routes', 'edge-api/routes/**/*'),
  room('http', 'edge-api/http/**/*'),
  room('domain', 'edge-api/domain/**/*'),
  room('gateways', 'edge-api/gateways/**/*'),
  room('jobs', 'edge-api/jobs/**/*'),
  room('db', 'edge-api/db/**/*'),
  room('tools', 'tools/**/*'),
  room('root', '*'),
]

const allowed = {
  site: ['site', 'islands', 'ui', 'lib', 'contract'],
  islands: ['islands', 'stores', 'ui', 'lib', 'contract'],
  ui: ['ui', 'lib'],
  lib: ['lib'],
  stores: ['stores', 'api', 'contract', 'lib'],
  api: ['api', 'contract'],
  contract: ['contract'],
  worker: ['app', 'services', 'config', 'jobs'],
  app: ['http', 'routes', 'services', 'config'],
  services: ['config', 'db', 'domain', 'gateways'],
  config: [],
  routes: ['routes', 'http', 'domain', 'contract'],
  http: ['http', 'domain', 'contract'],
  domain: ['domain', 'db', 'contract'],
  gateways: ['gateways', 'domain', 'contract'],
  jobs: ['jobs', 'domain'],
  db: ['db'],
  tools: ['tools', 'contract', 'db', 'site'],
  root: ['tools', 'db', 'root'],
}

export const arrows = [
  { allow: { to: { module: { origin: 'external' } } } },
  { allow: { to: { module: { origin: 'core' } } } },
  ...Object.entries(allowed).map(([from, to]) => ({
    from: { element: { type: from } },
    allow: { to: { element: { types: { anyOf: to } } } },
  })),
]
