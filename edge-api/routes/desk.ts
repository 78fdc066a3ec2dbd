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
import { mountDesk, onDemand } from '../http/mount-endpoint.ts'

const find = () => import('../domain/desk/find.ts')
const customer = () => import('../domain/desk/customer.ts')
const evidence = () => import('../domain/desk/evidence.ts')
const today = () => import('../domain/desk/today.ts')
const act = () => import('../domain/desk/act.ts')
const switches = () => import('../domain/desk/switches.ts')
const submissions = () => import('../domain/desk/inbox/submissions.ts')
const actOnSubmission = () => import('../domain/desk/inbox/act-on-submission.ts')
const savedAnswers = () => import('../domain/desk/inbox/saved-answers.ts')

/** The owner's desk. */
export function mountDeskRoutes(app: Hono<AppEnv>): void {
  mountDesk(app, findEndpoint, onDemand(find, 'find'))
  mountDesk(app, customerEndpoint, onDemand(customer, 'showCustomer'))
  mountDesk(app, evidenceEndpoint, onDemand(evidence, 'showEvidence'))
  mountDesk(app, todayEndpoint, onDemand(today, 'showToday'))
  mountDesk(app, actEndpoint, onDemand(act, 'act'))
  mountDesk(app, switchesEndpoint, onDemand(switches, 'showSwitches'))
  mountDesk(app, ticketsEndpoint, onDemand(submissions, 'listTickets'))
  mountDesk(app, ticketEndpoint, onDemand(submissions, 'showTicket'))
  mountDesk(app, applicationsEndpoint, onDemand(submissions, 'listApplications'))
  mountDesk(app, applicationEndpoint, onDemand(submissions, 'showApplication'))
  mountDesk(app, submissionActEndpoint, onDemand(actOnSubmission, 'actOnSubmission'))
  mountDesk(app, savedAnswersEndpoint, onDemand(savedAnswers, 'listSavedAnswers'))
  mountDesk(app, saveAnswerEndpoint, onDemand(savedAnswers, 'saveAnswer'))
}
