import * as account from './account.ts'
import * as announcement from './announcement.ts'
import * as app from './app.ts'
import * as billing from './billing.ts'
import * as careers from './careers.ts'
import * as plans from './plans.ts'
import * as credential from './credential.ts'
import * as dataExport from './data-export.ts'
import * as device from './device.ts'
import type { Endpoint } from './endpoint.ts'
import * as factor from './factor.ts'
import * as google from './google.ts'
import * as health from './health.ts'
import * as notice from './notice.ts'
import * as purchase from './purchase.ts'
import * as receipt from './receipt.ts'
import * as refund from './refund.ts'
import * as session from './session.ts'
import * as subscription from './subscription.ts'
import * as support from './support.ts'
import * as reportUsage from './report-usage.ts'
import * as usage from './usage.ts'
import * as webhook from './webhook.ts'

/** The files of the contract that define calls. A new file of calls is added here. */
export const FILES = [
  session,
  account,
  billing,
  credential,
  dataExport,
  factor,
  google,
  notice,
  device,
  plans,
  announcement,
  app,
  subscription,
  reportUsage,
  usage,
  purchase,
  receipt,
  refund,
  webhook,
  support,
  careers,
  health,
] as const

/** Every call of the API. The Worker's routes and /api/openapi.json are checked against this list. */
export const ENDPOINTS: readonly Endpoint[] = FILES.flatMap((file) =>
  Object.values<unknown>(file).filter(isEndpoint),
)

/** Whether a value that a file of the contract exports is a call. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value
}
