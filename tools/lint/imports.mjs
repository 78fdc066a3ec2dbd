/**
 * The modules of the domain, the lowest first, and which other modules each may import: only modules above it in this list. Each
 * may also import the files beside the modules (`domain`), the ports, the database and the contract.
 */
const MODULES = {
  catalogue: [],
  crypto: [],
  flags: [],
  mail: [],
  alert: ['mail'],
  report: ['mail'],
  entitlement: [],
  account: ['crypto'],
  health: ['account'],
  session: ['account', 'entitlement'],
  'desktop-app': ['account', 'mail', 'session'],
  tokens: ['account', 'crypto', 'flags', 'mail', 'session'],
  'mailed-link': ['account', 'flags', 'mail', 'session', 'tokens'],
  password: ['account', 'crypto', 'mail', 'mailed-link', 'session', 'tokens'],
  profile: ['account', 'mail', 'mailed-link', 'session'],
  subscription: ['account', 'entitlement', 'mail', 'session'],
  factors: ['account', 'crypto', 'mail', 'mailed-link', 'password', 'session'],
  'sign-in': [
    'account',
    'crypto',
    'factors',
    'flags',
    'mail',
    'mailed-link',
    'password',
    'session',
    'tokens',
  ],
  purchase: ['account', 'entitlement', 'flags', 'mail', 'mailed-link', 'session'],
  'data-rights': ['account', 'mail', 'password', 'purchase', 'session'],
  support: ['account', 'data-rights', 'mail', 'session'],
}
const modules = Object.keys(MODULES)
/** All of the domain, for what stands above it. */
const domain = [...modules, 'domain', 'ports']

/**
 * The folders of the tree, the imports allowed between them, and the packages each may use. `npm run check` refuses
 * everything else, and every file outside of these folders. Tests may import anything.
 */
const paths = {
  features: 'src/features/*',
  ui: 'src/ui',
  lib: 'src/lib',
  api: 'src/api',
  contract: 'src/contract',
  site: 'site',
  public: 'public',
  routes: 'edge-api/routes',
  http: 'edge-api/http',
  ports: 'edge-api/domain/ports',
  ...Object.fromEntries(modules.map((module) => [module, `edge-api/domain/${module}`])),
  domain: 'edge-api/domain',
  admin: 'edge-api/admin',
  gateways: 'edge-api/gateways',
  jobs: 'edge-api/jobs',
  db: 'edge-api/db',
  tools: 'tools',
  docs: 'docs/desktop-app',
  tests: 'tests',
}

/** What a feature exports to others; the rest of its folder is its own. */
const EXPORTED = [
  'billing/{billing,BillingForm}',
  'download/{DownloadLink,send-link}',
  'factors/{CopyButton,factor-proof,passkey-answer,ProveFactor,RecoveryCodes,step-up,StepUp}',
  'form/{form,FormDialog,NewPassword,use-form}',
  'purchase/{checkout,QuestionStep,purchase-flow,purchase-step,PurchaseNotice}',
  'purchase-list/{confirming,ConfirmingNotice,last-purchases,PurchaseTable}',
  'resource/{action,Loaded,resource}',
  'session/{session,use-user}',
  'sign-in/{GoogleButton,SecondStep,sign-in,SignInMethods}',
  'toasts/toasts',
  'token-purchase/MoreTokens',
  'tokens/TokensLeft',
]

/**
 * Single files with rules of their own: what features export, the four at the top of the Worker, the error with which domain and gateways
 * reject, the keys by which providers sign (Google, and Access for the admin pages), the file a new owner edits (mails use its names), the
 * releases of the app, which the Worker and the pages read, the tools that use test code, `npm run look` (it makes accounts as the
 * Worker does), the deployment (it reads the configuration as the Worker does, and writes a mail), the operator's commands (they settle
 * as the Worker's jobs do), a page in a folder that globs of `site` do not match, and the settings at the top of the tree.
 */
const files = {
  worker: 'edge-api/worker.ts',
  app: 'edge-api/app.ts',
  services: 'edge-api/services.ts',
  config: 'edge-api/config.ts',
  apiError: 'edge-api/domain/api-error.ts',
  exported: `src/features/{${EXPORTED.join()}}.{ts,tsx}`,
  remoteKeys: 'edge-api/gateways/remote-keys.ts',
  brand: 'site/brand.ts',
  releases: 'site/releases/releases.ts',
  withTests: 'tools/{bench/*,artwork/*,clips/main}.ts',
  look: 'tools/look/*.ts',
  deploy: 'tools/deploy/*.ts',
  ops: 'tools/ops/*.ts',
  wellKnown: 'site/pages/.well-known/*.ts',
  settings: '{astro,drizzle,eslint,vitest}.config.{mjs,ts}',
}

export const folders = Object.entries(paths).map(([type, pattern]) => ({
  type,
  pattern,
  partialMatch: false,
}))

export const loneFiles = Object.entries(files).map(([category, pattern]) => ({ category, pattern }))

/** Files of one folder may import one another. */
const allowed = {
  site: ['brand', 'releases', 'features', 'lib', 'contract', 'public'],
  features: ['exported', 'ui', 'lib', 'api', 'contract'],
  ui: [],
  lib: ['api', 'contract'],
  api: ['contract'],
  contract: [],
  worker: ['app', 'services', 'config', 'jobs', 'http', 'releases'],
  app: ['http', 'routes', 'admin'],
  admin: ['http', ...domain, 'db', 'remoteKeys', 'contract'],
  services: ['config', 'db', 'http', ...domain, 'gateways', 'contract', 'brand'],
  config: ['ports', 'contract'],
  brand: [],
  releases: ['contract'],
  routes: ['http', ...domain, 'contract'],
  http: ['account', 'crypto', 'domain', 'contract'],
  ports: ['db', 'contract'],
  domain: ['ports', 'db', 'contract'],
  ...Object.fromEntries(
    Object.entries(MODULES).map(([module, others]) => [
      module,
      [...others, 'domain', 'ports', 'db', 'contract'],
    ]),
  ),
  gateways: ['ports', 'apiError', 'contract'],
  jobs: domain,
  db: [],
  docs: [],
  tools: ['contract', 'brand', 'db'],
  withTests: ['tests'],
  look: ['tests', ...domain],
  deploy: ['config', 'gateways', ...domain, 'db', 'site', 'brand'],
  ops: ['config', 'services', ...domain, 'db', 'gateways'],
  wellKnown: ['brand'],
  settings: ['site', 'tools'],
}

/** Packages by folder, those of Node with `node:`. A folder that is not named here uses none. */
const packages = {
  wellKnown: ['astro'],
  site: ['astro', 'astro:*', 'vite', 'node:crypto', 'node:fs', 'node:path'],
  features: ['react', 'react-dom', 'nanostores', '@nanostores/react', 'uqr'],
  ui: ['react'],
  lib: ['nanostores'],
  api: ['@simplewebauthn/browser'],
  contract: ['zod'],
  app: ['hono'],
  routes: ['hono'],
  http: ['hono', '@hono/zod-validator'],
  ...Object.fromEntries(modules.map((module) => [module, ['drizzle-orm']])),
  crypto: ['jose', 'node:crypto'],
  account: ['drizzle-orm', 'node:url'],
  password: ['drizzle-orm', 'node:crypto'],
  factors: ['drizzle-orm', 'otpauth', '@simplewebauthn/server'],
  admin: ['hono', 'drizzle-orm', 'jose'],
  domain: ['drizzle-orm'],
  gateways: ['razorpay', 'jose'],
  db: ['drizzle-orm', '@libsql/client'],
  docs: ['node:*'],
  tools: ['**'],
  settings: ['**'],
}

const selector = (name) =>
  name in files ? { file: { categories: name } } : { element: { type: name } }

/** One rule for each folder: the linter tries every rule for every import. It takes no empty list. */
const between = Object.entries(allowed)
  .filter(([, targets]) => targets.length > 0)
  .map(([from, targets]) => ({ from: selector(from), allow: { to: targets.map(selector) } }))

const outside = Object.entries(packages).map(([from, source]) => ({
  from: selector(from),
  allow: { to: { module: { origin: ['external', 'core'], source } } },
}))

/** Vite reads what follows the `?`; the resolver finds no file of that name. */
const inlined = {
  from: selector('site'),
  allow: { dependency: { source: ['../styles/*.css*', '../../styles/*.css*'] } },
}

export const imports = [...between, ...outside, inlined]

export const importNotAllowed =
  'This import is not allowed: tools/lint/imports.mjs lists which folders and packages each folder may import.'
