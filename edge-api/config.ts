import { z } from '../src/contract/zod.ts'
import type { EmailBinding } from './domain/ports/mailer.ts'

/** The parts of Cloudflare's bindings that we use. */
interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>
}
interface AssetsBinding {
  fetch(request: Request): Promise<Response>
}

const hasMethod = (name: string) => (value: unknown) =>
  typeof value === 'object' && value !== null && name in value

const RateLimit = z.custom<RateLimitBinding>(hasMethod('limit'))

const Environment = z
  .enum(['production', 'staging', 'development', 'test', 'local'])
  .default('production')

/** `kid:secret,kid:secret`; the first signs. Secrets of at least 32 characters. */
const JwtSecret = z
  .string()
  .regex(/^\w{1,20}:[\w-]{32,}$/)
  .transform((entry) => {
    const [kid = '', secret = ''] = entry.split(':')
    return { kid, secret }
  })

/** The prefix of secrets in the repository, with which anybody can sign. */
const TESTS_ONLY = 'tests-only'

const JwtSecrets = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.tuple([JwtSecret], JwtSecret))

/** An http address, or '' when unset. */
const OptionalUrl = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default('')

const Env = z.object({
  ENVIRONMENT: Environment,
  PUBLIC_ORIGIN: z.url().transform((url) => url.replace(/\/$/, '')),
  DATABASE_URL: z.url({ protocol: /^(libsql|https?)$/ }),
  DATABASE_AUTH_TOKEN: z.string().default(''),
  JWT_SECRETS: JwtSecrets,
  TRIAL_SECRET: z.string().min(32),
  RAZORPAY_KEY_ID: z.string().optional(),
  RAZORPAY_KEY_SECRET: z.string().optional(),
  RAZORPAY_WEBHOOK_SECRETS: z.string().optional(),
  RAZORPAY_BASE_URL: z.string().optional(),
  RAZORPAY_CHECKOUT_URL: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: z.string().optional(),
  BREACHED_PASSWORDS_URL: z.string().optional(),
  /** The origin of the team at Cloudflare Access, whose assertions open the admin pages. */
  ACCESS_TEAM: OptionalUrl.transform((url) => url && new URL(url).origin),
  /** The tag of the application there. */
  ACCESS_AUDIENCE: z.string().default(''),
  /** The only host of the admin pages; any when empty. */
  ADMIN_HOST: z
    .string()
    .regex(/^(?:[\w-]+\.)*[\w-]+(?::\d+)?$|^$/)
    .default(''),
  ALARM_WEBHOOK_URL: OptionalUrl,
  HEARTBEAT_URL: OptionalUrl,
  EMAIL: z.custom<EmailBinding>(hasMethod('send')).optional(),
  ASSETS: z.custom<AssetsBinding>(hasMethod('fetch')),
  LIMIT_5: RateLimit,
  LIMIT_10: RateLimit,
  LIMIT_20: RateLimit,
  LIMIT_30: RateLimit,
  LIMIT_60: RateLimit,
  LIMIT_100: RateLimit,
  LIMIT_1200: RateLimit,
})

export type Config = z.output<typeof Env>

/** The environment is unusable. The message names the variables at fault, never their values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The variables that pages need. Pages are served even when others are missing. */
const PageConfig = z.object({
  ENVIRONMENT: Environment.catch('production'),
  ASSETS: Env.shape.ASSETS,
})

/** Which environment this is, and its prebuilt files. Throws ConfigError without them. */
export function readPageConfig(env: unknown): z.output<typeof PageConfig> {
  const { data } = PageConfig.safeParse(env)
  if (data === undefined) throw new ConfigError('missing or unusable: ASSETS')
  return data
}

/** Only `local` is a developer's machine. Any other environment may be reached by strangers and sends its mail. */
export function isLocalMachine({ ENVIRONMENT }: Pick<Config, 'ENVIRONMENT'>): boolean {
  return ENVIRONMENT === 'local'
}

/** What the API needs. Throws ConfigError naming every variable at fault. */
export function readConfig(env: unknown): Config {
  const { data, error } = Env.safeParse(env)
  const unsafe = data === undefined ? [] : unsafeNames(data)
  if (data !== undefined && unsafe.length === 0) return data
  const names = error?.issues.map((issue) => String(issue.path[0])) ?? unsafe
  throw new ConfigError(`missing or unusable: ${[...new Set(names)].join(', ')}`)
}

const ADDRESSES = [
  'PUBLIC_ORIGIN',
  'DATABASE_URL',
  'ALARM_WEBHOOK_URL',
  'HEARTBEAT_URL',
  'ACCESS_TEAM',
] as const

/** The names of unsafe settings: secrets that everybody knows, and connections that anybody can read. */
function unsafeNames(config: Config): string[] {
  const { ENVIRONMENT, JWT_SECRETS, TRIAL_SECRET } = config
  if (ENVIRONMENT !== 'production' && ENVIRONMENT !== 'staging') return []
  const names = []
  if (JWT_SECRETS.some(({ secret }) => secret.startsWith(TESTS_ONLY))) names.push('JWT_SECRETS')
  if (TRIAL_SECRET.startsWith(TESTS_ONLY)) names.push('TRIAL_SECRET')
  return [...names, ...ADDRESSES.filter((name) => isReadable(config[name]))]
}

/** Whether a URL is without TLS. Loopback addresses leave no machine. */
function isReadable(url: string): boolean {
  if (url === '') return false
  const { protocol, hostname, searchParams } = new URL(url)
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return false
  return protocol === 'http:' || searchParams.get('tls') === '0'
}
