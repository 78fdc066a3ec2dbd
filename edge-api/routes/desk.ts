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
import { later } from './later.ts'

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
  mountDesk(app, findEndpoint, later(find, 'find'))
  mountDesk(app, customerEndpoint, later(customer, 'showCustomer'))
  mountDesk(app, evidenceEndpoint, later(evidence, 'showEvidence'))
  mountDesk(app, todayEndpoint, later(today, 'showToday'))
  mountDesk(app, actEndpoint, later(act, 'act'))
  mountDesk(app, switchesEndpoint, later(switches, 'showSwitches'))
  mountDesk(app, ticketsEndpoint, later(submissions, 'listTickets'))
  mountDesk(app, ticketEndpoint, later(submissions, 'showTicket'))
  mountDesk(app, applicationsEndpoint, later(submissions, 'listApplications'))
  mountDesk(app, applicationEndpoint, later(submissions, 'showApplication'))
  mountDesk(app, submissionActEndpoint, later(actOnSubmission, 'actOnSubmission'))
  mountDesk(app, savedAnswersEndpoint, later(savedAnswers, 'listSavedAnswers'))
  mountDesk(app, saveAnswerEndpoint, later(savedAnswers, 'saveAnswer'))
}
