import { expect, test } from 'vitest'
import { mailedRefund } from './mailed-refund.ts'

test.each(['', '>', '.', ')', '>)', '%3E', '.%0A'])(
  'the mark "%s" behind the link of a refund is not part of its secret',
  (mark) => {
    const request = { purchaseId: 'pur_01k9', secret: 'a-secret_42' }
    expect(mailedRefund(`#refund=pur_01k9.a-secret_42${mark}`)).toEqual(request)
  },
)

test('another hash asks for no refund', () => {
  for (const hash of ['', '#refund=', '#refund=pur_01k9', '#refund=pur_01k9.', '#refund=.x']) {
    expect(mailedRefund(hash)).toBeNull()
  }
})
