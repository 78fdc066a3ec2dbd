import { brand } from '../site/brand.ts'
import type { Release } from '../src/contract/release.ts'
import type { RateLimitName } from '../src/contract/limits.ts'
import { type Config, isLocalMachine, type RateLimitBinding } from './config.ts'
import { Breaker } from './db/breaker.ts'
import { openDatabase } from './db/database.ts'
import { Replica } from './db/replica.ts'
import { Streams } from './db/streams.ts'
import { WriteGate } from './db/write-gate.ts'
import { HASH_COST } from './domain/hash-cost.ts'
import { HashGate } from './domain/hash-gate.ts'
import { PendingAlarms } from './domain/alarm/pending-alarms.ts'
import { storeAlarms } from './domain/alarm/store-alarms.ts'
import type { Context, Visitor, BearerKey, BearerKeys } from './domain/context.ts'
import { idMaker } from './domain/new-id.ts'
import { breachServices } from './gateways/breached-passwords.ts'
import { identityProvider } from './gateways/google/google-provider.ts'
import type { Log } from './domain/ports/log.ts'
import { consoleLog } from './gateways/console-log.ts'
import { cloudflareMailer, localMailer, missingMailer, timedMailer } from './gateways/mailers.ts'
import { pagerOf } from './gateways/pager.ts'
import { paymentServices } from './gateways/razorpay/razorpay-gateway.ts'

/**
 * How many writes one isolate may have in flight. Beyond it calls are answered with 503 and Retry-After. Payments have
 * places of their own, so that a flood of other writes does not make them wait.
 */
const writeGates = { payments: new WriteGate(64, Date.now), others: new WriteGate(64, Date.now) }

const breaker = new Breaker(Date.now)

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const hashGate = new HashGate(() => pause(10))

/** How long the mail provider may take for one mail: well below the lease of `deliverDueMail`. */
const MAIL_TIMEOUT_MS = 10_000

interface Occasion {
  visitor: Visitor
  now: number
  /** True for calls and jobs that may move money. */
  isPayment: boolean
}

type Work = () => Promise<void>

export type Services = ReturnType<typeof buildServices>

/**
 * The composition root: everything that the configuration decides, made once for each environment. The releases are handed in,
 * because only the build can list their files.
 */
export function buildServices(config: Config, releases: readonly Release[]) {
  const pending = new PendingAlarms()
  const streams = new Streams(Date.now)
  const log = withAlarms(consoleLog, pending)
  const replica = replicaOf(config, log)
  const shared = {
    randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
    hashGate,
    hashCost: HASH_COST,
    keys: bearerKeys(config),
    ...paymentServices(config, log),
    identity: identityProvider(config, log),
    breaches: breachServices(config, log),
    mailer: mailerOf(config),
    pager: pagerOf(config),
    brand,
    releases,
    operators: config.OPERATORS,
    origin: config.PUBLIC_ORIGIN,
    isLocal: isLocalMachine(config),
    log,
  }
  return {
    allow: rateLimiter(config),
    productName: brand.productName,
    /** The context of one request or job. `finish` does its `waitUntil` work, once the answer has left. */
    newContext: ({ visitor, now, isPayment }: Occasion) => {
      const waiting: Work[] = []
      const ctx: Context = {
        ...shared,
        db: openDatabase({
          url: config.DATABASE_URL,
          authToken: config.DATABASE_AUTH_TOKEN,
          breaker,
          streams,
          replica,
          writeGate: isPayment ? writeGates.payments : writeGates.others,
        }),
        now,
        clock: Date.now,
        pause,
        newId: idMaker(() => now, shared.randomBytes),
        visitor,
        deviceMark: { given: '', keep: () => undefined },
        waitUntil: (work) => {
          waiting.push(work)
        },
      }
      const finish = async () => {
        await Promise.all(waiting.map(runLogged))
        await storeAlarms(ctx, pending)
      }
      return { ctx, finish }
    },
  }
}

function replicaOf(config: Config, log: Log): Replica | null {
  const { DATABASE_REPLICA_URL: url, DATABASE_AUTH_TOKEN: authToken } = config
  if (url === '') return null
  const onFault = (error: unknown) => {
    log.warn('the replica failed', { fault: String(error) })
  }
  return new Replica({ url, authToken, clock: Date.now, onFault })
}

/** The log, which also keeps each alert until it is stored after an answer or a job. */
function withAlarms(log: Log, pending: PendingAlarms): Log {
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

/** Counts calls in Cloudflare's rate limiting binding, one binding a limit. */
function rateLimiter(config: Config) {
  const bindings: Record<RateLimitName, RateLimitBinding> = {
    signIn: config.LIMIT_SIGN_IN,
    register: config.LIMIT_REGISTER,
    mail: config.LIMIT_MAIL,
    link: config.LIMIT_LINK,
    support: config.LIMIT_SUPPORT,
    careers: config.LIMIT_CAREERS,
    order: config.LIMIT_ORDER,
    activation: config.LIMIT_ACTIVATION,
    device: config.LIMIT_DEVICE,
    devicePoll: config.LIMIT_DEVICE_POLL,
    network: config.LIMIT_NETWORK,
    everybody: config.LIMIT_EVERYBODY,
    health: config.LIMIT_HEALTH,
    cspReport: config.LIMIT_CSP_REPORT,
    change: config.LIMIT_CHANGE,
    export: config.LIMIT_EXPORT,
    usage: config.LIMIT_USAGE,
    usageBatch: config.LIMIT_USAGE_BATCH,
  }
  return async (limit: RateLimitName, key: string): Promise<boolean> => {
    const { success } = await bindings[limit].limit({ key })
    return success
  }
}

function bearerKeys({ JWT_SECRETS: [first, ...others] }: Config): BearerKeys {
  return [toKey(first), ...others.map(toKey)]
}

function toKey({ kid, secret }: Config['JWT_SECRETS'][number]): BearerKey {
  return { kid, secret: new TextEncoder().encode(secret) }
}

function mailerOf(config: Config) {
  if (isLocalMachine(config)) return localMailer
  return config.EMAIL === undefined
    ? missingMailer
    : timedMailer(cloudflareMailer(config.EMAIL), MAIL_TIMEOUT_MS)
}
