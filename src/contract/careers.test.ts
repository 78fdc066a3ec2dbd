import { expect, test } from 'vitest'
import { ApplicationInput } from './careers.ts'

/** Anything a form or a script may send in a field. */
const SENT = [
  undefined,
  null,
  '',
  7,
  '!!',
  'a\u0000b',
  'javascript:alert(1)',
  'x'.repeat(6_000),
  `https://x.test/${'x'.repeat(600)}`,
]

const fields = Object.keys(ApplicationInput.shape)

test.each(fields)('every message of the field %s reads as one sentence after its name', (field) => {
  const messages = SENT.flatMap((value) => {
    const { error } = ApplicationInput.safeParse({ [field]: value })
    return (error?.issues ?? []).filter(({ path }) => path[0] === field).map((i) => i.message)
  })
  expect(messages).not.toEqual([])
  const predicate = /^(Email )?(is required|must be .+|cannot exceed \d+ characters|holds .+)$/
  for (const message of messages) expect(message).toMatch(predicate)
})
