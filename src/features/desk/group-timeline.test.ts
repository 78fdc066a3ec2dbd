import { expect, test } from 'vitest'
import type { TimelineEntry } from '../../contract/desk.ts'
import { groupsOf } from './group-timeline.ts'

const entry = (
  text: string,
  about: TimelineEntry['about'],
  purchaseId: string | null = null,
): TimelineEntry => ({
  at: '2026-11-25T10:00:00.000Z',
  about,
  text,
  purchaseId,
  cause: null,
  isTrouble: false,
  mailId: null,
  disputeId: null,
})

test('a purchase stands where its newest entry does, days of use together, all else in its own place', () => {
  const entries = [
    entry('a gift', 'tokens'),
    entry('used on Tuesday', 'use'),
    entry('the refund of the plan', 'refund', 'pur_plan'),
    entry('used on Monday', 'use'),
    entry('a pack', 'purchase', 'pur_pack'),
    entry('signed in', 'account'),
    entry('used on Sunday', 'use'),
    entry('the plan', 'purchase', 'pur_plan'),
    entry('older than what the page shows', 'purchase', 'pur_old'),
  ]
  const told = groupsOf(entries, ['pur_plan', 'pur_pack']).map((group) => [
    group.purchaseId,
    ...group.entries.map(({ text }) => text),
  ])
  expect(told).toEqual([
    [null, 'a gift'],
    [null, 'used on Tuesday', 'used on Monday'],
    ['pur_plan', 'the refund of the plan', 'the plan'],
    ['pur_pack', 'a pack'],
    [null, 'signed in'],
    [null, 'used on Sunday'],
    [null, 'older than what the page shows'],
  ])
})
