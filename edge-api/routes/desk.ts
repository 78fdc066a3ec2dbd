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
import { act } from '../domain/desk/act.ts'
import { showCustomer } from '../domain/desk/customer.ts'
import { showEvidence } from '../domain/desk/evidence.ts'
import { find } from '../domain/desk/find.ts'
import { actOnSubmission } from '../domain/desk/inbox/act-on-submission.ts'
import { listApplications, listTickets } from '../domain/desk/inbox/list-submissions.ts'
import { listSavedAnswers, saveAnswer } from '../domain/desk/inbox/saved-answers.ts'
import { showApplication, showTicket } from '../domain/desk/inbox/show-submission.ts'
import { showSwitches } from '../domain/desk/show-switches.ts'
import { showToday } from '../domain/desk/today.ts'
import { hours } from '../domain/time.ts'
import type { AppEnv } from '../http/env.ts'
import { forOperators, mountDesk } from '../http/mount-desk.ts'
import { honoPath } from '../http/mount-endpoint.ts'
import { DESK_PASS, keepCookie } from '../http/sign-in-cookie.ts'

/** As long as an ordinary session: the pass opens a page without data. */
const PASS_MS = hours(12)

/** The owner's desk. */
export function mountDeskRoutes(app: Hono<AppEnv>): void {
  app.on(openDeskEndpoint.method, [honoPath(openDeskEndpoint)], forOperators, async (c) => {
    const value = await seal(c.env.ctx, 'desk', { lifetimeMs: PASS_MS })
    keepCookie(c, DESK_PASS, { value, maxAgeMs: PASS_MS })
    return c.json({ success: true })
  })
  mountDesk(app, findEndpoint, find)
  mountDesk(app, customerEndpoint, showCustomer)
  mountDesk(app, evidenceEndpoint, showEvidence)
  mountDesk(app, todayEndpoint, showToday)
  mountDesk(app, actEndpoint, act)
  mountDesk(app, switchesEndpoint, showSwitches)
  mountDesk(app, ticketsEndpoint, listTickets)
  mountDesk(app, ticketEndpoint, showTicket)
  mountDesk(app, applicationsEndpoint, listApplications)
  mountDesk(app, applicationEndpoint, showApplication)
  mountDesk(app, submissionActEndpoint, actOnSubmission)
  mountDesk(app, savedAnswersEndpoint, listSavedAnswers)
  mountDesk(app, saveAnswerEndpoint, saveAnswer)
}
