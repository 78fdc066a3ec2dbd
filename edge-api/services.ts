import { brand } from '../site/brand.ts'
import type { Release } from '../src/contract/release.ts'
import { RATE_LIMITS, type RateLimitName } from '../src/contract/limits.ts'
import { type Config, isLocalMachine } from './config.ts'
import { Connections } from './db/connections.ts'
import { CallGate, openDatabase } from './db/database.ts'
import { HASH_COST } from './domain/crypto/hash-password.ts'
import { createQueues } from './domain/fair-queue.ts'
import { ProviderAsks } from './domain/provider-asks.ts'
import { PendingAlerts, storeAlerts } from './domain/alert/store-alerts.ts'
import type { Context, SigningKey, SigningKeys, Visitor } from './domain/context.ts'
import { idMaker } from './domain/new-id.ts'
import { breachServices } from './gateways/breached-passwords.ts'
import type { AdminPages } from './http/env.ts'
import { identityProvider } from './gateways/google/google-provider.ts'
import type { Log } from './domain/ports/log.ts'
import { consoleLog } from './gateways/console-log.ts'
import { cloudflareMailer, localMailer, missingMailer, timedMailer } from './gateways/mailers.ts'
import { alertWebhookOf } from './gateways/post-to-webhook.ts'
import { paymentServices } from './gateways/razorpay/razorpay-gateway.ts'

/**
 * How many calls to the database one isolate may have in flight. Beyond it calls are answered with 503 and Retry-After. The
 * writes of payments have their own limit, so that a flood of other writes does not make them wait.
 */
const readGate = new CallGate(256, Date.now)
const writeGates = { payments: new CallGate(64, Date.now), others: new CallGate(64, Date.now) }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const queues = createQueues({ clock: Date.now, pause })
const providerAsks = new ProviderAsks()

/** How long the mail provider may take for one mail: well below the lease of `deliverDueMail`. */
const MAIL_TIMEOUT_MS = 10_000

/** The purpose of a call or job: it may move money, checks health, or anything else. */
type Purpose = 'payment' | 'health' | 'other'

/** The purpose of a call: payments are what buyers and the payment provider call. */
export function purposeOf(pathname: string): Purpose {
  if (pathname.startsWith('/api/payment/') || pathname.startsWith('/api/webhooks/'))
    return 'payment'
  return pathname === '/api/health' ? 'health' : 'other'
}

/** A health check must learn quickly that the database does not answer. */
const HEALTH_DEADLINE_MS = 1_000

interface ContextOptions {
  visitor: Visitor
  now: number
  purpose: Purpose
}

type Work = () => Promise<void>

export type Services = ReturnType<typeof buildServices>

/**
 * The composition root: everything that the configuration decides, made once for each environment. The releases are handed in,
 * because only the build can list their files.
 */
export function buildServices(config: Config, releases: readonly Release[]) {
  const pending = new PendingAlerts()
  const connections = new Connections({
    url: config.DATABASE_URL,
    authToken: config.DATABASE_AUTH_TOKEN,
    clock: Date.now,
  })
  const log = withAlerts(consoleLog, pending)
  const shared = {
    randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
    queues,
    providerAsks,
    hashCost: HASH_COST,
    keys: signingKeys(config),
    trialKey: toKey({ kid: 'trial', secret: config.TRIAL_SECRET }),
    ...paymentServices(config, log),
    identity: identityProvider(config, log),
    breaches: breachServices(config, log),
    mailer: mailerOf(config),
    alertWebhook: alertWebhookOf(config),
    brand,
    releases,
    origin: config.PUBLIC_ORIGIN,
    adminOrigin: adminOriginOf(config),
    isLocal: isLocalMachine(config),
    log,
  }
  return {
    allow: rateLimiter(config),
    adminPages: adminPagesOf(config),
    productName: brand.productName,
    /** The context of one request or job. `finish` does its `waitUntil` work, once the answer has left. */
    newContext: ({ visitor, now, purpose }: ContextOptions) => {
      const waiting: Work[] = []
      const ctx: Context = {
        ...shared,
        db: openDatabase({
          connections,
          gates: {
            read: readGate,
            write: writeGates[purpose === 'payment' ? 'payments' : 'others'],
          },
          ...(purpose === 'health' ? { deadlineMs: HEALTH_DEADLINE_MS } : {}),
        }),
        now,
        clock: Date.now,
        pause,
        newId: idMaker(() => now, shared.randomBytes),
        visitor,
        // For jobs. `exchangeDeviceCookie` replaces it for a request.
        deviceCookie: { given: '', keep: () => undefined },
        waitUntil: (work) => {
          waiting.push(work)
        },
      }
      const finish = async () => {
        // Work may ask for further work.
        for (let work = waiting.splice(0); work.length > 0; work = waiting.splice(0)) {
          await Promise.all(work.map(runLogged))
        }
        await storeAlerts(ctx, pending)
      }
      return { ctx, finish }
    },
  }
}

/** The log, which also keeps each alert until it is stored after an answer or a job. */
function withAlerts(log: Log, pending: PendingAlerts): Log {
  return {
    ...log,
    alert: (kind, fields = {}) => {
      log.alert(kind, fields)
      pending.add({ kind, fields, at: Date.now() })
    },
  }
}

async function runLogged(work: Work): Promise<void> {
  try {
    await work()
  } catch (error) {
    consoleLog.error('work after the answer failed', error)
  }
}

/** Counts calls in Cloudflare's rate limiting bindings. Limits with the same figure share one. */
function rateLimiter(config: Config) {
  return async (limit: RateLimitName, key: string): Promise<boolean> => {
    const binding = `LIMIT_${RATE_LIMITS[limit]}` as const
    const { success } = await config[binding].limit({ key: `${limit} ${key}` })
    return success
  }
}

/** What the door of the admin pages needs. `localKey` plays Access on a developer's machine, and exists nowhere else. */
function adminPagesOf(config: Config): AdminPages {
  const { ACCESS_TEAM: team, ACCESS_AUDIENCE: audience, ADMIN_HOST: host, ASSETS: assets } = config
  const secret = `access:${config.JWT_SECRETS[0].secret}`
  const localKey = isLocalMachine(config) && team === '' ? new TextEncoder().encode(secret) : null
  return { team, audience, host, localKey, assets }
}

/** Where links in mails to the team lead. */
function adminOriginOf({ ADMIN_HOST, PUBLIC_ORIGIN }: Config): string {
  return ADMIN_HOST === '' ? PUBLIC_ORIGIN : `https://${ADMIN_HOST}`
}

function signingKeys({ JWT_SECRETS: [first, ...others] }: Config): SigningKeys {
  return [toKey(first), ...others.map(toKey)]
}

function toKey({ kid, secret }: Config['JWT_SECRETS'][number]): SigningKey {
  return { kid, secret: new TextEncoder().encode(secret) }
}

function mailerOf(config: Config) {
  if (isLocalMachine(config)) return localMailer
  return config.EMAIL === undefined
    ? missingMailer
    : timedMailer(cloudflareMailer(config.EMAIL), MAIL_TIMEOUT_MS)
}
