export interface Scene {
  readonly title: string
  readonly text: string
  readonly heard: string
  readonly answer: readonly string[]
}

/** The six scenes of the feature panel. They are not in site/content, so that the page contains them once. */
export const SCENES: readonly Scene[] = [
  {
    title: 'Interview',
    text: 'Coding, case study and product rounds, with the reasoning to say aloud.',
    heard: 'Reverse this list without extra memory.',
    answer: [
      'Walk it once with three pointers: prev, node, next.',
      'Point node at prev, then step all three.',
      'O(n) time, O(1) space. Empty list: return null.',
    ],
  },
  {
    title: 'Design round',
    text: 'HLD and LLD questions, answered with the parts, the flow and the limits.',
    heard: 'How would you limit calls to this API?',
    answer: [
      'Token bucket per key, refilled every second.',
      'Gateway → counter store → service; fail open for reads.',
    ],
  },
  {
    title: 'Meeting',
    text: 'What was decided, who owns it, and what nobody has mentioned yet.',
    heard: 'So where did we land on the launch?',
    answer: [
      'Ten percent of users on Tuesday, the rest on Friday.',
      'The platform team owns the rollback.',
      'Still open: who tells support before Tuesday?',
    ],
  },
  {
    title: 'Sales',
    text: 'The objection behind the objection, and a question to ask back.',
    heard: 'The other offer is a third cheaper.',
    answer: [
      'Ask what that price leaves out: setup, seats, support.',
      'Compare a year, not a month.',
    ],
  },
  {
    title: 'Negotiation',
    text: 'A calm next sentence when a number lands on the table.',
    heard: 'This is the most we can do on base.',
    answer: [
      'Thank them, then wait.',
      'Ask which parts of the offer can still move.',
      'Trade: an earlier start for a signing bonus.',
    ],
  },
  {
    title: 'Follow-up',
    text: 'Context memory: the second question is answered with the first in mind.',
    heard: 'And if the traffic grows tenfold?',
    answer: [
      'Earlier you chose one queue per tenant: keep it.',
      'Shard by tenant id, and give the busiest their own workers.',
    ],
  },
]
