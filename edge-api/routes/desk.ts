import type { Hono } from 'hono'
import {
  customerEndpoint,
  evidenceEndpoint,
  findEndpoint,
  switchesEndpoint,
  todayEndpoint,
} from '../../src/contract/desk.ts'
import { actEndpoint } from '../../src/contract/desk-acts.ts'
import {
  applicationEndpoint,
  applicationsEndpoint,
  saveAnswerEndpoint,
  savedAnswersEndpoint,
  submissionActEndpoint,
  ticketEndpoint,
  ticketsEndpoint,
} from '../../src/contract/desk-inbox.ts'
import type { AppEnv } from '../http/env.ts'
import { mountDesk } from '../http/mount-endpoint.ts'

/** The owner's desk. */
export function mountDeskRoutes(app: Hono<AppEnv>): void {
  mountDesk(app, findEndpoint, async (...call) =>
    (await import('../domain/desk/find.ts')).find(...call),
  )
  mountDesk(app, customerEndpoint, async (...call) =>
    (await import('../domain/desk/customer.ts')).showCustomer(...call),
  )
  mountDesk(app, evidenceEndpoint, async (...call) =>
    (await import('../domain/desk/evidence.ts')).showEvidence(...call),
  )
  mountDesk(app, todayEndpoint, async (...call) =>
    (await import('../domain/desk/today.ts')).showToday(...call),
  )
  mountDesk(app, actEndpoint, async (...call) =>
    (await import('../domain/desk/act.ts')).act(...call),
  )
  mountDesk(app, switchesEndpoint, async (...call) =>
    (await import('../domain/desk/switches.ts')).showSwitches(...call),
  )
  mountDesk(app, ticketsEndpoint, async (...call) =>
    (await import('../domain/desk/inbox/submissions.ts')).listTickets(...call),
  )
  mountDesk(app, ticketEndpoint, async (...call) =>
    (await import('../domain/desk/inbox/submissions.ts')).showTicket(...call),
  )
  mountDesk(app, applicationsEndpoint, async (...call) =>
    (await import('../domain/desk/inbox/submissions.ts')).listApplications(...call),
  )
  mountDesk(app, applicationEndpoint, async (...call) =>
    (await import('../domain/desk/inbox/submissions.ts')).showApplication(...call),
  )
  mountDesk(app, submissionActEndpoint, async (...call) =>
    (await import('../domain/desk/inbox/act-on-submission.ts')).actOnSubmission(...call),
  )
  mountDesk(app, savedAnswersEndpoint, async (...call) =>
    (await import('../domain/desk/inbox/saved-answers.ts')).listSavedAnswers(...call),
  )
  mountDesk(app, saveAnswerEndpoint, async (...call) =>
    (await import('../domain/desk/inbox/saved-answers.ts')).saveAnswer(...call),
  )
}
