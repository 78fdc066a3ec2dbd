import { expect, test } from 'vitest'
import { ACCOUNT_ACTS, Act } from './desk-acts.ts'

test('each act on an account has a button, and those on its mails and purchases have theirs elsewhere', () => {
  const offered = ACCOUNT_ACTS.map(({ act }) => act('usr_1', '').kind)
  const kinds = Act.options.flatMap(({ shape }) =>
    'userId' in shape && !('mailId' in shape || 'purchaseId' in shape) ? [shape.kind.value] : [],
  )
  expect(offered.toSorted()).toEqual(kinds.toSorted())
})
