import { z } from '../src/contract/zod.ts'

/** Bindings that are things, not texts: as Cloudflare hands them in, as much of them as we use. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>
}
export interface EmailBinding {
  send(message: {
    from: string
    to: string
    subject: string
    text: string
    html: string
    headers?: Record<string, string>
  }): Promise<unknown>
}
export interface AssetsBinding {
  fetch(request: Request): Promise<Response>
}

const hasMethod = (name: string) => (value: unknown) =>
  typeof value === 'object' && value !== null && name in value

const RateLimit = z.custom<RateLimitBinding>(hasMethod('limit'))

const Environment = z.enum(['production', 'development', 'test', 'local']).default('production')

/** `kid:secret,kid:secret`; the first signs. Secrets of at least 32 characters. */
const JwtSecret = z
  .string()
  .regex(/^\w{1,20}:[\w-]{32,}$/)
  .transform((entry) => {
    const [kid = '', secret = ''] = entry.split(':')
    return { kid, secret }
  })

/** How secrets begin that stand in the repository: anybody can sign with them. */
const TESTS_ONLY = 'tests-only'

const JwtSecrets = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.tuple([JwtSecret], JwtSecret))

const Env = z.object({
  ENVIRONMENT: Environment,
  PUBLIC_ORIGIN: z.url().transform((url) => url.replace(/\/$/, '')),
  DATABASE_URL: z.url({ protocol: /^(libsql|https?)$/ }),
  DATABASE_AUTH_TOKEN: z.string().default(''),
  JWT_SECRETS: JwtSecrets,
  RAZORPAY_KEY_ID: z.string().optional(),
  RAZORPAY_KEY_SECRET: z.string().optional(),
  RAZORPAY_WEBHOOK_SECRETS: z.string().optional(),
  RAZORPAY_BASE_URL: z.string().optional(),
  RAZORPAY_CHECKOUT_URL: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: z.string().optional(),
  BREACHED_PASSWORDS_URL: z.string().optional(),
  EMAIL: z.custom<EmailBinding>(hasMethod('send')).optional(),
  ASSETS: z.custom<AssetsBinding>(hasMethod('fetch')),
  LIMIT_SIGN_IN: RateLimit,
  LIMIT_REGISTER: RateLimit,
  LIMIT_MAIL: RateLimit,
  LIMIT_LINK: RateLimit,
  LIMIT_SUPPORT: RateLimit,
  LIMIT_CAREERS: RateLimit,
  LIMIT_ORDER: RateLimit,
  LIMIT_ACTIVATION: RateLimit,
  LIMIT_DEVICE: RateLimit,
})

export type Config = z.output<typeof Env>

/** What is wrong with the environment, by name and never by value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** As much as pages need, whatever else is missing: no misconfiguration takes them away. */
const Place = z.object({ ENVIRONMENT: Environment.catch('production'), ASSETS: Env.shape.ASSETS })

/** Where this is and its prebuilt files. Throws ConfigError where there are none. */
export function readPlace(env: unknown): z.output<typeof Place> {
  const { data } = Place.safeParse(env)
  if (data === undefined) throw new ConfigError('missing or unusable: ASSETS')
  return data
}

/** Only `local` is a developer's machine: whatever else runs may be reached by strangers, and sends its mail. */
export function isLocalMachine({ ENVIRONMENT }: Pick<Config, 'ENVIRONMENT'>): boolean {
  return ENVIRONMENT === 'local'
}

/** What the API needs. With `readPlace` the only reader of the Worker's bindings. Throws ConfigError, naming every variable at fault. */
export function readConfig(env: unknown): Config {
  const { data, error } = Env.safeParse(env)
  if (data !== undefined && !signsForAnybody(data)) return data
  const names = error?.issues.map((issue) => String(issue.path[0])) ?? ['JWT_SECRETS']
  throw new ConfigError(`missing or unusable: ${[...new Set(names)].join(', ')}`)
}

function signsForAnybody({ ENVIRONMENT, JWT_SECRETS }: Config): boolean {
  const isPublic = JWT_SECRETS.some(({ secret }) => secret.startsWith(TESTS_ONLY))
  return ENVIRONMENT === 'production' && isPublic
}
