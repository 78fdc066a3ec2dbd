import {
  applicationEndpoint,
  applicationsEndpoint,
  saveAnswerEndpoint,
  savedAnswersEndpoint,
  type SubmissionAct,
  submissionActEndpoint,
  ticketEndpoint,
  ticketsEndpoint,
} from '../contract/desk-inbox.ts'
import { switchesEndpoint } from '../contract/desk-switches.ts'
import type { Call } from '../api/call-endpoint.ts'
import type { DeskDeps } from './desk.ts'
import { createResource } from './resource.ts'

/** Tickets in a state. */
export function createTickets(
  { session, confirmed }: DeskDeps,
  query: Call<typeof ticketsEndpoint>['query'],
) {
  return createResource(() =>
    confirmed(() => session.call(ticketsEndpoint, { query: { ...query } })),
  )
}

/** Applications in a state. */
export function createApplications(
  { session, confirmed }: DeskDeps,
  query: Call<typeof applicationsEndpoint>['query'],
) {
  return createResource(() =>
    confirmed(() => session.call(applicationsEndpoint, { query: { ...query } })),
  )
}

/** One ticket. */
export function createTicket({ session, confirmed }: DeskDeps, number: string) {
  return createResource(() => confirmed(() => session.call(ticketEndpoint, { params: { number } })))
}

/** One application. */
export function createApplication({ session, confirmed }: DeskDeps, number: string) {
  return createResource(() =>
    confirmed(() => session.call(applicationEndpoint, { params: { number } })),
  )
}

/** Something to do with a submission: `preview` tells what would change and be sent, `carryOut` does it. */
export function createSubmissionActs({ session, confirmed }: DeskDeps) {
  const send = (act: SubmissionAct, isPreview: boolean) =>
    confirmed(() => session.call(submissionActEndpoint, { body: { act, isPreview } }))
  return {
    preview: (act: SubmissionAct) => send(act, true),
    carryOut: (act: SubmissionAct) => send(act, false),
  }
}

/** The answers that operators use again. */
export function createSavedAnswers({ session, confirmed }: DeskDeps) {
  const answers = createResource(() => confirmed(() => session.call(savedAnswersEndpoint, {})))
  const save = async (body: { id: string | null; title: string; text: string }) => {
    const result = await confirmed(() => session.call(saveAnswerEndpoint, { body }))
    if (result.ok) answers.put(result.data)
    return result
  }
  return { ...answers, save }
}

/** How the switches stand. */
export function createSwitches({ session, confirmed }: DeskDeps) {
  return createResource(() => confirmed(() => session.call(switchesEndpoint, {})))
}
