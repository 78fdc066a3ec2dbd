import { promises as dns } from 'node:dns'
import { sql } from 'drizzle-orm'
import { Connections } from '../../edge-api/db/connections.ts'
import { webhookEvents } from '../../edge-api/db/schema/purchases.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { GatewayUnauthorized } from '../../edge-api/domain/ports/payments.ts'
import { hours, minutes } from '../../edge-api/domain/time.ts'
import { brand } from '../../site/brand.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import type { ToolRun } from '../launcher/run-tool.ts'
import { dueMigrations } from '../services/migrate.ts'
import type { Environment } from './environment.ts'

/**
 * The result of one check outside. `stop` blocks a deployment. `look` needs a person: it may be right as it is, or only
 * the first deployment can fix it.
 */
export interface Finding {
  about: string
  state: 'fine' | 'look' | 'stop'
  /** The finding, and unless it is fine, where to fix it and which permission that needs. */
  says: string
}

/** What is fine, or else its state too. */
type Said = string | readonly ['look' | 'stop', string]

type RecordKind = 'A' | 'NS' | 'TXT'

/** The sources besides the database and Razorpay. */
export interface Outside {
  /** The DNS records of a name; an empty list when it has none. */
  records: (kind: RecordKind, name: string) => Promise<string[]>
  /** `wrangler whoami`. */
  whoami: () => Promise<ToolRun>
  /** Waits. */
  pause: (ms: number) => Promise<unknown>
}

type Place = Pick<Environment, 'origin' | 'secrets'>

/**
 * Looks at everything around a Worker that can be seen without deploying it, and changes nothing.
 *
 * @param ctx the Worker's own context: its database and Razorpay. Null leaves these out
 */
export async function checkOutside(
  ctx: Context | null,
  place: Place,
  outside: Outside,
): Promise<Finding[]> {
  const looks: Record<string, () => Promise<Said> | Said> = {
    Cloudflare: () => lookAtAccount(outside),
    domain: () => lookAtZone(place, outside),
    ...(ctx && {
      database: () => lookAtDatabase(place),
      'database streams': () => lookAtStreams(place, outside),
      'Razorpay key': () => lookAtKey(ctx),
      webhook: () => lookAtWebhook(ctx),
    }),
    mail: () => lookAtMail(outside),
    'admin pages': () => lookAtAdmin(place, outside),
    heartbeat: () => lookAtHeartbeat(place, outside),
    'alert webhook': () => lookAtAlerts(place),
  }
  return Promise.all(
    Object.entries(looks).map(async ([about, look]): Promise<Finding> => {
      try {
        const said = await look()
        const [state, says] = typeof said === 'string' ? (['fine', said] as const) : said
        return { about, state, says }
      } catch (error) {
        if (error instanceof LaunchError) return { about, state: 'stop', says: error.message }
        return { about, state: 'look', says: `could not be asked: ${String(error)}` }
      }
    }),
  )
}

/** The lines of a report, problems first. */
export function reportLines(findings: readonly Finding[]): string[] {
  const order = ['stop', 'look', 'fine']
  return findings
    .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
    .map(({ about, state, says }) => `${state}  ${about}: ${says}`)
}

async function lookAtAccount({ whoami }: Outside): Promise<Said> {
  const { code, output } = await whoami()
  if (code === 0 && !output.includes('not authenticated')) return 'Wrangler is signed in'
  return [
    'stop',
    'Wrangler is not signed in. Run npm run ops -- wrangler login, or set CLOUDFLARE_API_TOKEN to a token of My Profile → API ' +
      'Tokens → Edit Cloudflare Workers, with the right Zone: DNS: Edit added.',
  ]
}

/** The deployment makes a custom domain, in a zone that must be at Cloudflare. */
async function lookAtZone({ origin }: Place, { records }: Outside): Promise<Said> {
  const { hostname } = new URL(origin)
  const parents = hostname.split('.').map((_, index, labels) => labels.slice(index).join('.'))
  for (const zone of parents.slice(0, -1)) {
    const servers = await records('NS', zone)
    if (servers.length === 0) continue
    if (!servers.every((server) => server.endsWith('.ns.cloudflare.com'))) {
      return [
        'stop',
        `${zone} is served by ${servers.join(', ')}. Add it at dash.cloudflare.com → Add a domain, and set the name servers that it ` +
          'names at your registrar. Needs the role Administrator at Cloudflare, and the registrar’s account.',
      ]
    }
    const isKnown = (await records('A', hostname)).length > 0
    return `${zone} is at Cloudflare; ${hostname} ${isKnown ? 'answers' : 'is made by the first deployment'}`
  }
  return [
    'stop',
    `Nobody serves ${hostname}. Register the domain, then add it at dash.cloudflare.com → Add a domain (role Administrator), ` +
      'or correct `websites` in site/brand.ts.',
  ]
}

async function lookAtDatabase({ secrets }: Place): Promise<Said> {
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken } = secrets
  const due = await dueMigrations({ url, authToken })
  const withoutToken = await dueMigrations({ url }).catch(() => null)
  if (authToken && withoutToken !== null) {
    return [
      'stop',
      'anybody can read and change it, because it asks for no token. See "Your own sqld" in docs/runbook.md.',
    ]
  }
  if (due.length === 0) return 'takes writes, and its schema is up to date'
  return `takes writes; a deployment applies ${due.join(', ')}`
}

/** Servers close a stream after ten seconds without use. */
const EXPIRY_MS = 12_500

/** Each call goes on with an earlier call's stream, and a new one is opened when the server says that it has forgotten it. */
async function lookAtStreams({ secrets }: Place, { pause }: Outside): Promise<Said> {
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken = '' } = secrets
  const seen: { isNew: boolean; rejection: string }[] = []
  const watch: typeof fetch = async (address, options) => {
    const answer = await fetch(address, options)
    const rejection = answer.ok ? '' : `${answer.status} ${await answer.clone().text()}`
    seen.push({ isNew: String(options?.body).startsWith('{"baton":null'), rejection })
    return answer
  }
  const connections = new Connections({ url, authToken, clock: () => 0, fetch: watch })
  const ask = () => connections.send([{ sql: 'SELECT 1', args: [] }], 'read', 10_000)
  await ask()
  await ask()
  if (seen[1]?.isNew) return ['look', 'each call opens a new one, which costs the database most.']
  await pause(EXPIRY_MS)
  await ask().catch(() => undefined)
  const rejection = seen[2]?.rejection.slice(0, 200) ?? ''
  if (rejection === '') return 'a call goes on with an earlier one’s, also after a pause'
  if (seen[3]?.rejection === '') return `a call goes on with an earlier one’s, until: ${rejection}`
  return [
    'stop',
    `after a pause a call fails with words that FORGOTTEN in edge-api/db/keep-streams.ts does not know: ${rejection}`,
  ]
}

async function lookAtKey({ payments, now, paymentMode }: Context): Promise<Said> {
  try {
    await payments.paymentsBetween(now - minutes(1), now)
    return `Razorpay accepts it (${paymentMode} mode)`
  } catch (error) {
    if (!(error instanceof GatewayUnauthorized)) throw error
    return [
      'stop',
      'Razorpay does not accept RAZORPAY_KEY_ID with its secret. In its dashboard, switched to the same mode: Account & Settings ' +
        '→ API Keys → Regenerate Key. Needs the role Owner or Admin.',
    ]
  }
}

/** Razorpay has no call that lists the webhooks of a shop, so a received event is the proof. */
async function lookAtWebhook({ db, now, origin }: Context): Promise<Said> {
  const [[row]] = await db.batch([
    db.select({ at: sql<number | null>`max(${webhookEvents.receivedAt})` }).from(webhookEvents),
  ])
  if (row?.at) return `the last event came ${Math.round((now - row.at) / hours(1))} hours ago`
  return [
    'look',
    `no event has come yet. In Razorpay’s dashboard: Account & Settings → Webhooks → Add New Webhook, ${origin}/api/webhooks/razorpay, ` +
      'with the first secret of RAZORPAY_WEBHOOK_SECRETS and the events of docs/runbook.md. Needs the role Owner or Admin. Then buy once.',
  ]
}

/** The records that Email Service makes: developers.cloudflare.com/email-service/configuration/domains. */
async function lookAtMail({ records }: Outside): Promise<Said> {
  const domain = /@([^>]+)/.exec(brand.mailFrom)?.[1] ?? ''
  const wanted = {
    SPF: [`cf-bounce.${domain}`, 'v=spf1'],
    DKIM: [`cf-bounce._domainkey.${domain}`, 'v=DKIM1'],
    DMARC: [`_dmarc.${domain}`, 'v=DMARC1'],
  } as const
  const lacks: string[] = []
  for (const [kind, [name, start]] of Object.entries(wanted)) {
    const texts = await records('TXT', name)
    if (!texts.some((text) => text.startsWith(start))) lacks.push(`${kind} (${name})`)
  }
  if (lacks.length === 0) return `${domain} has SPF, DKIM and DMARC records`
  return [
    'stop',
    `${domain}, which mailFrom in site/brand.ts names, lacks ${lacks.join(', ')}. At dash.cloudflare.com → Compute → Email Service → ` +
      'Email Sending → Onboard Domain makes the records. Needs the role Administrator, or Email and DNS.',
  ]
}

/** The team must serve keys at this address, or nobody could be let in. */
async function lookAtAdmin({ secrets }: Place, { records }: Outside): Promise<Said> {
  const { ACCESS_TEAM: team, ACCESS_AUDIENCE: audience, ADMIN_HOST: host } = secrets
  if (!team || !audience) {
    return [
      'look',
      'ACCESS_TEAM and ACCESS_AUDIENCE are not set: /admin stays closed. See "The admin pages" in docs/runbook.md.',
    ]
  }
  const { hostname } = new URL(team)
  if ((await records('A', hostname)).length === 0) {
    return ['stop', `ACCESS_TEAM names ${hostname}, which nobody serves. Correct it.`]
  }
  if (host) return `${host} opens to whom ${hostname} lets in`
  return [
    'look',
    'ADMIN_HOST is not set: a script put into the public site would share its origin with /admin.',
  ]
}

/** Does not call the address itself: that would count as a heartbeat. */
async function lookAtHeartbeat({ secrets }: Place, { records }: Outside): Promise<Said> {
  const { HEARTBEAT_URL: address } = secrets
  if (!address) {
    return [
      'look',
      'HEARTBEAT_URL is not set: nobody would notice that cron stopped. Make a check at a monitor (Healthchecks.io: Add Check, every ' +
        'minute, grace 5 minutes; role Manager) and set its address.',
    ]
  }
  const { hostname } = new URL(address)
  if ((await records('A', hostname)).length > 0) return `${hostname} is known`
  return ['stop', `HEARTBEAT_URL names ${hostname}, which nobody serves. Correct it.`]
}

function lookAtAlerts({ secrets }: Place): Said {
  if (secrets['ALARM_WEBHOOK_URL']) return 'is set'
  return [
    'look',
    `ALARM_WEBHOOK_URL is not set: alerts go to ${brand.operatorEmail} alone. At Slack: api.slack.com/apps → Incoming Webhooks; the ` +
      'workspace has to let you install apps.',
  ]
}

/** Asks the name servers of this machine. Throws when they cannot be asked. */
export async function dnsRecords(kind: RecordKind, name: string): Promise<string[]> {
  try {
    if (kind === 'A') return await dns.resolve4(name)
    if (kind === 'NS') return await dns.resolveNs(name)
    return (await dns.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw error
  }
}
