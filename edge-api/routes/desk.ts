import type { Hono } from 'hono'
import {
  actEndpoint,
  customerEndpoint,
  evidenceEndpoint,
  findEndpoint,
  todayEndpoint,
} from '../../src/contract/desk.ts'
import {
  applicationEndpoint,
  applicationsEndpoint,
  saveAnswerEndpoint,
  savedAnswersEndpoint,
  submissionActEndpoint,
  ticketEndpoint,
  ticketsEndpoint,
} from '../../src/contract/desk-inbox.ts'
import { switchesEndpoint } from '../../src/contract/desk-switches.ts'
import { openDeskEndpoint } from '../../src/contract/desk-door.ts'
import { seal } from '../domain/account/sealed.ts'
import { hours } from '../domain/time.ts'
import type { AppEnv } from '../http/env.ts'
import { forOperators, mountDesk } from '../http/mount-desk.ts'
import { honoPath } from '../http/mount-endpoint.ts'
import { DESK_PASS, keepCookie } from '../http/sign-in-cookie.ts'
import { whenCalled } from '../http/when-called.ts'

const actVerbs = () => import('../domain/desk/act.ts')
const customerVerbs = () => import('../domain/desk/customer.ts')
const evidenceVerbs = () => import('../domain/desk/evidence.ts')
const findVerbs = () => import('../domain/desk/find.ts')
const actOnSubmissionVerbs = () => import('../domain/desk/inbox/act-on-submission.ts')
const listSubmissionsVerbs = () => import('../domain/desk/inbox/list-submissions.ts')
const savedAnswersVerbs = () => import('../domain/desk/inbox/saved-answers.ts')
const showSubmissionVerbs = () => import('../domain/desk/inbox/show-submission.ts')
const showSwitchesVerbs = () => import('../domain/desk/show-switches.ts')
const todayVerbs = () => import('../domain/desk/today.ts')

/** As long as an ordinary session: the pass opens a page without data. */
const PASS_MS = hours(12)

/** The owner's desk. */
export function mountDeskRoutes(app: Hono<AppEnv>): void {
  app.on(openDeskEndpoint.method, [honoPath(openDeskEndpoint)], forOperators, async (c) => {
    const value = await seal(c.env.ctx, 'desk', { lifetimeMs: PASS_MS })
    keepCookie(c, DESK_PASS, { value, maxAgeMs: PASS_MS })
    return c.json({ success: true })
  })
  mountDesk(
    app,
    findEndpoint,
    whenCalled(findVerbs, (verbs) => verbs.find),
  )
  mountDesk(
    app,
    customerEndpoint,
    whenCalled(customerVerbs, (verbs) => verbs.showCustomer),
  )
  mountDesk(
    app,
    evidenceEndpoint,
    whenCalled(evidenceVerbs, (verbs) => verbs.showEvidence),
  )
  mountDesk(
    app,
    todayEndpoint,
    whenCalled(todayVerbs, (verbs) => verbs.showToday),
  )
  mountDesk(
    app,
    actEndpoint,
    whenCalled(actVerbs, (verbs) => verbs.act),
  )
  mountDesk(
    app,
    switchesEndpoint,
    whenCalled(showSwitchesVerbs, (verbs) => verbs.showSwitches),
  )
  mountDesk(
    app,
    ticketsEndpoint,
    whenCalled(listSubmissionsVerbs, (verbs) => verbs.listTickets),
  )
  mountDesk(
    app,
    ticketEndpoint,
    whenCalled(showSubmissionVerbs, (verbs) => verbs.showTicket),
  )
  mountDesk(
    app,
    applicationsEndpoint,
    whenCalled(listSubmissionsVerbs, (verbs) => verbs.listApplications),
  )
  mountDesk(
    app,
    applicationEndpoint,
    whenCalled(showSubmissionVerbs, (verbs) => verbs.showApplication),
  )
  mountDesk(
    app,
    submissionActEndpoint,
    whenCalled(actOnSubmissionVerbs, (verbs) => verbs.actOnSubmission),
  )
  mountDesk(
    app,
    savedAnswersEndpoint,
    whenCalled(savedAnswersVerbs, (verbs) => verbs.listSavedAnswers),
  )
  mountDesk(
    app,
    saveAnswerEndpoint,
    whenCalled(savedAnswersVerbs, (verbs) => verbs.saveAnswer),
  )
}
