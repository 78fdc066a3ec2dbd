import { JobId } from './careers.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { EMAIL_MAX, LONG_TEXT_MAX, NAME_MAX, SUPPORT_QUERY_MAX } from './limits.ts'
import { Severity } from './support.ts'
import { Id, Instant, text } from './text.ts'
import { z } from './zod.ts'

/** The calls of the desk about tickets, applications and saved answers. Operators alone may call them. */

export const INBOX = {
  noSubmission: 'There is nothing with this number. Its sender may have deleted it.',
  changed: 'Someone else wrote here in the meantime. Read it, then send yours again.',
  noAnswer: 'This saved answer was deleted. Choose another.',
  tooMany: 'There are fifty saved answers. Delete one first.',
  sameState: 'It already has this status.',
  textRequired: 'Write something first.',
  titleRequired: 'Give it a title.',
  done: 'Done and logged.',
  sent: 'Sent and logged.',
} as const

/**
 * `new`: nobody answered. `waiting`: the sender waits for us. `answered`: we wait for the sender, if they have more to say.
 * `closed`: nothing is left to do.
 */
export const TicketState = z.enum(['new', 'waiting', 'answered', 'closed'])

/** The last three are decisions: the application is deleted twelve months after one. */
export const ApplicationState = z.enum(['new', 'in_talks', 'accepted', 'declined', 'withdrawn'])
type ApplicationState = z.infer<typeof ApplicationState>

export const DECIDED: readonly string[] = [
  'accepted',
  'declined',
  'withdrawn',
] satisfies ApplicationState[]

const SubmissionNumber = z.coerce.number().int().min(1).max(1_000_000_000)

/** The most rows of a list. */
export const INBOX_MAX = 50

const Row = z.object({
  number: z.int(),
  email: z.string().max(EMAIL_MAX),
  at: Instant,
})

/** A ticket in a list. */
export const TicketRow = Row.extend({
  state: TicketState,
  severity: Severity,
  isFeatureRequest: z.boolean(),
  /** How the message begins. */
  begins: z.string().max(200),
})
export type TicketRow = z.infer<typeof TicketRow>

/** An application in a list. */
export const ApplicationRow = Row.extend({
  state: ApplicationState,
  jobId: z.string().max(60),
  fullName: z.string().max(2 * NAME_MAX),
  decidedAt: Instant.nullable(),
})
export type ApplicationRow = z.infer<typeof ApplicationRow>

const After = { after: SubmissionNumber.optional() }

export const ticketsEndpoint = defineEndpoint({
  id: 'deskTickets',
  method: 'GET',
  path: '/api/desk/tickets',
  access: 'operator',
  query: z.object({ state: TicketState.default('new'), ...After }),
  success: success({
    /** Oldest first; closed ones newest first. `after` is the last number of the page before. */
    tickets: z.array(TicketRow).max(INBOX_MAX),
    hasMore: z.boolean(),
  }),
})

export const applicationsEndpoint = defineEndpoint({
  id: 'deskApplications',
  method: 'GET',
  path: '/api/desk/applications',
  access: 'operator',
  query: z.object({
    state: ApplicationState.default('new'),
    jobId: JobId.optional(),
    ...After,
  }),
  success: success({
    /** Oldest first; decided ones newest first. `after` is the last number of the page before. */
    applications: z.array(ApplicationRow).max(INBOX_MAX),
    hasMore: z.boolean(),
  }),
})

/** Something an operator wrote about a submission. */
export const SubmissionEntry = z.object({
  id: Id,
  kind: z.enum(['note', 'answer', 'state']),
  /** The words, or the new state. */
  text: z.string().max(LONG_TEXT_MAX),
  operator: z.string().max(EMAIL_MAX),
  at: Instant,
  /** Whether its email was given up. */
  isUndelivered: z.boolean(),
})
export type SubmissionEntry = z.infer<typeof SubmissionEntry>

/** The kind of submission that a saved answer is for. */
export const SubmissionKind = z.enum(['ticket', 'application'])
export type SubmissionKind = z.infer<typeof SubmissionKind>

export const SavedAnswer = z.object({
  id: Id,
  about: SubmissionKind,
  title: z.string().max(100),
  text: z.string().max(LONG_TEXT_MAX),
})
export type SavedAnswer = z.infer<typeof SavedAnswer>

/** The most saved answers. */
export const SAVED_ANSWERS_MAX = 50
/** The most entries that are shown, the newest. */
export const ENTRIES_MAX = 200

const about = {
  /** Oldest first. */
  entries: z.array(SubmissionEntry).max(ENTRIES_MAX),
  /** Those for submissions of this kind. */
  answers: z.array(SavedAnswer).max(SAVED_ANSWERS_MAX),
  /** The form's other fields, by name. */
  fields: z.array(z.tuple([z.string().max(60), z.string().max(LONG_TEXT_MAX)])).max(20),
  /** The account with its address; null without one. Anybody can write any address into the form. */
  userId: Id.nullable(),
}

export const ticketEndpoint = defineEndpoint({
  id: 'deskTicket',
  method: 'GET',
  path: '/api/desk/tickets/{number}',
  access: 'operator',
  params: z.object({ number: SubmissionNumber }),
  success: success({
    ticket: TicketRow.extend({ id: Id, query: z.string().max(SUPPORT_QUERY_MAX) }),
    ...about,
  }),
})

export const applicationEndpoint = defineEndpoint({
  id: 'deskApplication',
  method: 'GET',
  path: '/api/desk/applications/{number}',
  access: 'operator',
  params: z.object({ number: SubmissionNumber }),
  success: success({
    application: ApplicationRow.extend({ id: Id }),
    ...about,
  }),
})

const words = text({ max: LONG_TEXT_MAX, required: INBOX.textRequired, oneLine: false })

const OfSubmission = z.object({
  submissionId: Id,
  /** The newest entry that the operator has read; null without one. An answer is refused when a newer entry exists. */
  seen: Id.nullable(),
})

const State = z.enum([...TicketState.options, ...ApplicationState.options])

/** What an operator does with a submission: writes a note, answers, changes the state, or deletes it at its sender's request. */
export const SubmissionAct = z.discriminatedUnion('kind', [
  OfSubmission.extend({ kind: z.literal('note'), text: words }),
  /** `state` is the new one. */
  OfSubmission.extend({ kind: z.literal('answer'), text: words, state: State }),
  OfSubmission.extend({ kind: z.literal('state'), state: State }),
  OfSubmission.extend({ kind: z.literal('delete') }),
])
export type SubmissionAct = z.infer<typeof SubmissionAct>

export const submissionActEndpoint = defineEndpoint({
  id: 'deskSubmissionAct',
  method: 'POST',
  path: '/api/desk/submissions',
  access: 'operator',
  body: z.object({
    act: SubmissionAct,
    /** True previews the changes and the mail, and makes and sends none. */
    isPreview: z.boolean(),
  }),
  success: success({
    changes: z.array(z.string().max(400)).max(10),
    /** The text of the mail that an answer sends; null for the rest. */
    mail: z
      .string()
      .max(2 * LONG_TEXT_MAX)
      .nullable(),
  }),
})

export const savedAnswersEndpoint = defineEndpoint({
  id: 'deskSavedAnswers',
  method: 'GET',
  path: '/api/desk/answers',
  access: 'operator',
  success: success({ answers: z.array(SavedAnswer).max(SAVED_ANSWERS_MAX) }),
})

/** Keeps, changes or deletes an answer to use again. */
export const saveAnswerEndpoint = defineEndpoint({
  id: 'deskSaveAnswer',
  method: 'POST',
  path: '/api/desk/answers',
  access: 'operator',
  body: z.object({
    /** Null makes a new one. */
    id: Id.nullable(),
    about: SubmissionKind,
    title: text({ max: 100, required: INBOX.titleRequired }),
    /** '' deletes it. */
    text: text({ max: LONG_TEXT_MAX, oneLine: false }),
  }),
  success: success({ answers: z.array(SavedAnswer).max(SAVED_ANSWERS_MAX) }),
})
