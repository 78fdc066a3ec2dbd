import { Subscription, Tokens } from './account.ts'
import { Announcement } from './announcement.ts'
import { Currency } from './currency.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { EMAIL_MAX, NAME_MAX, USERNAME_MAX } from './limits.ts'
import { Id, Instant } from './text.ts'
import { z } from './zod.ts'

/*
 * The calls of the desk, with those of `desk-acts.ts` and `desk-inbox.ts`. To everybody but operators they are unknown paths,
 * so they are not in `ENDPOINTS`, and /api/openapi.json does not name them
 * (docs/decisions/0105-the-desk-is-an-unknown-path.md).
 */

/** How long after a confirmation the desk's calls need no other. */
export const DESK_CONFIRMED_MINUTES = 15

/** What the desk says; `DESK_ACT` says why an act is refused. */
export const DESK = {
  needsFactor:
    'The desk needs a second step. Set up a passkey or an authenticator app under Security, then come back.',
  notAdmitted:
    'Nobody has admitted your newest second step or recovery codes to the desk yet. Whoever runs this site can: npm run ops -- admit-operator ADDRESS.',
  confirm: 'Please confirm it’s you. The desk asks every 15 minutes.',
  done: 'Done and logged.',
  noDispute: 'There is no such dispute. Find it by its id, or look in Razorpay’s dashboard.',
  noCustomer: 'There is no such account. It may have been removed; find it by its address.',
  nothingFound: 'Nothing was found. Check the spelling, or use another id.',
} as const

const FoundKind = z.enum([
  'account',
  'purchase',
  'payment',
  'refund',
  'dispute',
  'receipt',
  'ticket',
  'application',
  'mail',
])

export const Found = z.object({
  kind: FoundKind,
  /** The match as a person would write it: an address, an id, `T-12`. */
  name: z.string().max(300),
  note: z.string().max(300),
  at: Instant,
  /** The account it belongs to; null for a ticket or an application from an address without an account. */
  userId: Id.nullable(),
})
export type Found = z.infer<typeof Found>

/** The most results of one search. */
export const FOUND_MAX = 40

export const findEndpoint = defineEndpoint({
  id: 'deskFind',
  method: 'GET',
  path: '/api/desk/find',
  access: 'operator',
  query: z.object({ q: z.string().trim().min(2).max(EMAIL_MAX) }),
  success: success({ found: z.array(Found).max(FOUND_MAX) }),
})

/** An entry of a customer's timeline. */
export const TimelineEntry = z.object({
  at: Instant,
  about: z.enum([
    'account',
    'purchase',
    'payment',
    'tokens',
    'use',
    'refund',
    'dispute',
    'mail',
    'message',
    'act',
  ]),
  text: z.string().max(600),
  /** The purchase that it belongs to; null for what belongs to the account. */
  purchaseId: Id.nullable(),
  /** The cause, when it was not the customer: `webhook evt_…`, `reconcile`. */
  cause: z.string().max(200).nullable(),
  /** Whether somebody should look at it: a failure, a dispute, money that is owed. */
  isTrouble: z.boolean(),
  /** The mail that can be sent again; null for other entries. */
  mailId: z.string().max(120).nullable(),
  /** The dispute whose evidence can be printed; null for other entries. */
  disputeId: z.string().max(60).nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** The most rows of one table on a customer's page, the newest. */
export const CUSTOMER_ROWS_MAX = 100

export const Customer = z.object({
  id: Id,
  email: z.string().max(EMAIL_MAX),
  username: z.string().max(USERNAME_MAX),
  name: z.string().max(2 * NAME_MAX + 1),
  isEmailVerified: z.boolean(),
  createdAt: Instant,
  deletedAt: Instant.nullable(),
  suspendedAt: Instant.nullable(),
  /** How the account is signed in to: `password`, `Google`, `passkey`, `authenticator app`. */
  waysIn: z.array(z.string().max(40)).max(4),
  subscription: Subscription.pick({ status: true, plan: true, currentPeriodEnd: true }),
  tokens: Tokens,
  sessions: z.array(z.object({ device: z.string().max(200) })).max(CUSTOMER_ROWS_MAX),
  purchases: z
    .array(
      z.object({
        id: Id,
        sku: z.string().max(40),
        /** Its state, but `disputed` while a dispute is open. */
        status: z.string().max(20),
        amountMinor: z.int(),
        /** The part that is not returned, lost in a dispute or owed back; null when it was not paid. */
        leftMinor: z.int().nullable(),
        currency: Currency,
        createdAt: Instant,
        receiptNumber: z.string().max(20).nullable(),
        /** Why the desk can give no money of it back; null when it can. */
        noRefund: z.string().max(300).nullable(),
        /** The operator's next step; null for none. */
        toDo: z.string().max(300).nullable(),
        /** Its newest dispute, which has evidence to print; null without one. */
        disputeId: z.string().max(60).nullable(),
      }),
    )
    .max(CUSTOMER_ROWS_MAX),
  /** Until when a correction of the address can be taken back; null without one. */
  correctedUntil: Instant.nullable(),
})
export type Customer = z.infer<typeof Customer>

export const customerEndpoint = defineEndpoint({
  id: 'deskCustomer',
  method: 'GET',
  path: '/api/desk/customers/{userId}',
  access: 'operator',
  params: z.object({ userId: Id }),
  success: success({
    customer: Customer,
    /** Newest first. */
    timeline: z.array(TimelineEntry).max(10 * CUSTOMER_ROWS_MAX),
  }),
})

/** Razorpay's id of a dispute. */
const DisputeId = z
  .string()
  .max(60)
  .regex(/^disp_\w+$/)

/** A part of the answer to a dispute: names and values. */
export const EvidencePart = z.object({
  title: z.string().max(100),
  facts: z.array(z.tuple([z.string().max(100), z.string().max(600)])).max(CUSTOMER_ROWS_MAX + 10),
})
export type EvidencePart = z.infer<typeof EvidencePart>

export const evidenceEndpoint = defineEndpoint({
  id: 'deskEvidence',
  method: 'GET',
  path: '/api/desk/disputes/{disputeId}',
  access: 'operator',
  params: z.object({ disputeId: DisputeId }),
  success: success({
    dispute: z.object({
      id: DisputeId,
      state: z.string().max(20),
      /** Razorpay's word: `chargeback`, `retrieval`. */
      phase: z.string().max(60),
      amountMinor: z.int(),
      /** A bank may dispute in its own currency. */
      currency: z.string().max(3),
      beganAt: Instant,
      respondBy: Instant.nullable(),
      userId: Id,
    }),
    parts: z.array(EvidencePart).max(10),
  }),
})

/** Something that waits for a person or a job. */
export const OpenThing = z.object({
  what: z.enum([
    'unsettled purchase',
    'owed refund',
    'open dispute',
    'unsent mail',
    'unprocessed webhook',
    'ticket',
    'application',
  ]),
  /** Its id or number: `T-7`, `pay_…`. */
  name: z.string().max(120),
  /** The address or name it belongs to; '' for a webhook. */
  who: z.string().max(EMAIL_MAX),
  /** Its kind: a ticket's severity, the reason of a debt, the phase of a dispute. */
  tag: z.string().max(60),
  /** What it is about, in the words of a person or a machine; '' when the other fields say it. */
  text: z.string().max(300),
  /** The money at stake, in minor units, with its currency; null without any. */
  amountMinor: z.int().nullable(),
  currency: z.string().max(3).nullable(),
  since: Instant,
  /** The deadline for an answer; null without one. */
  until: Instant.nullable(),
  /** `overdue` when it has waited too long, or its deadline is near; `passed` when its deadline is over. */
  urgency: z.enum(['waits', 'overdue', 'passed']),
  userId: Id.nullable(),
  /** The purchase or mail for an act in the list; null without one. */
  subject: z.string().max(120).nullable(),
})
export type OpenThing = z.infer<typeof OpenThing>

/** An alert that nobody has acknowledged. */
export const Alarm = z.object({
  id: Id,
  /** Its name in the log. */
  kind: z.string().max(100),
  /** What it means and what to do. */
  text: z.string().max(1_000),
  count: z.int(),
  firstAt: Instant,
  lastAt: Instant,
  /** The facts of the last log line: `job: deliverDueMail`. */
  facts: z.array(z.string().max(400)).max(20),
  /** The ids among its facts that the desk finds: `pur_…`, `mail-receipt:pur_…`. */
  ids: z.array(z.string().max(EMAIL_MAX)).max(20),
})
export type Alarm = z.infer<typeof Alarm>

/** More than there are kinds; single payments, which have alarms of their own, may be more. */
export const ALARMS_MAX = 100

/** Of each kind, those that came first. */
export const OPEN_THINGS_MAX = 30

/**
 * The sales, and the refunds of sales, on a UTC day, in minor units of one currency. Money that bought nothing, because
 * it came twice or was another amount, is in neither.
 */
export const DayFigures = z.object({
  day: z.iso.date(),
  currency: Currency,
  sales: z.int(),
  soldMinor: z.int(),
  refundedMinor: z.int(),
})
export type DayFigures = z.infer<typeof DayFigures>

/** How many days the figures reach back. */
export const FIGURE_DAYS = 30

export const todayEndpoint = defineEndpoint({
  id: 'deskToday',
  method: 'GET',
  path: '/api/desk/today',
  access: 'operator',
  success: success({
    /** Oldest first, those of single payments last. */
    alarms: z.array(Alarm).max(ALARMS_MAX),
    /** The most urgent first. */
    open: z.array(OpenThing).max(12 * OPEN_THINGS_MAX),
    /** Days without a sale or a refund are left out. */
    days: z.array(DayFigures).max(2 * (FIGURE_DAYS + 1)),
  }),
})

/** What operators change without a deployment. */
export const switchesEndpoint = defineEndpoint({
  id: 'deskSwitches',
  method: 'GET',
  path: '/api/desk/switches',
  access: 'operator',
  success: success({
    announcement: Announcement.nullable(),
    isTrialOn: z.boolean(),
    areSalesOn: z.boolean(),
  }),
})
