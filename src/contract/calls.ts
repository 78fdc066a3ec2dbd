import type * as account from './account.ts'
import type * as announcement from './announcement.ts'
import type * as app from './app.ts'
import type * as billing from './billing.ts'
import type * as careers from './careers.ts'
import type * as credential from './credential.ts'
import type * as dataExport from './data-export.ts'
import type * as device from './device.ts'
import type { CallSuccess, Endpoint } from './endpoint.ts'
import type * as factor from './factor.ts'
import type * as google from './google.ts'
import type * as health from './health.ts'
import type * as notice from './notice.ts'
import type * as plans from './plans.ts'
import type * as purchase from './purchase.ts'
import type * as receipt from './receipt.ts'
import type * as refund from './refund.ts'
import type * as reportUsage from './report-usage.ts'
import type * as session from './session.ts'
import type * as subscription from './subscription.ts'
import type * as support from './support.ts'
import type * as usage from './usage.ts'
import type * as webhook from './webhook.ts'

/*
 * The calls of the API by method and path, as types alone: the browser calls `call('GET /api/auth/me')` and loads no
 * schema for it. A new file of calls is added here and in endpoints.ts.
 */

type Files = [
  typeof account,
  typeof announcement,
  typeof app,
  typeof billing,
  typeof careers,
  typeof credential,
  typeof dataExport,
  typeof device,
  typeof factor,
  typeof google,
  typeof health,
  typeof notice,
  typeof plans,
  typeof purchase,
  typeof receipt,
  typeof refund,
  typeof reportUsage,
  typeof session,
  typeof subscription,
  typeof support,
  typeof usage,
  typeof webhook,
]

type ValueOf<File> = File extends unknown ? File[keyof File] : never
type Known = Extract<ValueOf<Files[number]>, Endpoint>

/** Every call by its name, such as `POST /api/auth/login`. */
export type Calls = { [Call in Known as `${Call['method']} ${Call['path']}`]: Call }

export type CallName = keyof Calls

/** What the server answers to a call that it does not reject. */
export type AnswerOf<Name extends CallName> = CallSuccess<Calls[Name]>
