import { expect, test } from 'vitest'
import { receiptsCsv } from './receipt-csv.ts'

test('a CSV holds amounts in major units, gives India time, quotes what needs it, and no formula runs', () => {
  const csv = receiptsCsv([
    {
      kind: 'credit_note',
      number: 'C/26-27/000001',
      issuedAt: '2027-03-31T19:00:00.000Z',
      receiptNumber: 'R/26-27/000001',
      cancels: null,
      buyerName: '=HYPERLINK("x")',
      buyerEmail: 'ada@example.com',
      buyerGstin: null,
      placeOfSupply: '29 Karnataka',
      sac: '998314',
      currency: 'INR',
      ratePercent: 18,
      taxable: -186_356,
      cgst: -16_772,
      sgst: -16_772,
      igst: 0,
      total: -219_900,
      paymentId: 'pay_1',
    },
  ])
  expect(csv).toMatch(/^\ufeffkind,/)
  expect(csv.split('\r\n')[1]).toBe(
    `credit_note,C/26-27/000001,2027-04-01T00:30:00.000+05:30,R/26-27/000001,,"'=HYPERLINK(""x"")",ada@example.com,,29 Karnataka,998314,INR,18,-1863.56,-167.72,-167.72,0.00,-2199.00,pay_1`,
  )
})
