import { expect, test } from 'vitest'
import { emptyFixture } from '../../../tests/harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  refundOf,
} from '../../../tests/harness/fixture/purchase.ts'
import { createAccount } from '../../../tests/harness/fixture/account.ts'
import { monthInIndia, TAX, taxed } from '../../../tests/harness/fixture/taxed.ts'
import { callOf } from '../../../tests/harness/fixture/fixture.ts'
import { factsOf } from '../ports/payments.ts'
import { days } from '../time.ts'
import { getReceipt, listReceipts, receiptsOfMonth } from './receipts.ts'
import { settle } from './settle.ts'
import { financialYear, invoiceOf, readInvoice, supplyOf } from './tax.ts'

/** A fixture whose seller charges tax. */
async function taxedFixture() {
  const fixture = await emptyFixture()
  return { ...fixture, ctx: () => taxed(fixture.ctx()) }
}

const billing = (place: string) => ({ place, name: 'Works', address: 'Hall 1', gstin: '' })

test('the place of supply decides which tax it is, and only foreign money is an export', () => {
  const of = (place: string | null, currency: 'INR' | 'USD') =>
    supplyOf(TAX, place === null ? null : billing(place), currency).supply
  expect(of('29', 'INR')).toBe('intra_state')
  expect(of('27', 'INR')).toBe('inter_state')
  expect(of('29', 'USD')).toBe('intra_state')
  expect(of('27', 'USD')).toBe('inter_state')
  expect(of('96', 'USD')).toBe('export')
  expect(of('96', 'INR')).toBe('inter_state')
  expect(of(null, 'INR')).toBe('intra_state')
  expect(of(null, 'USD')).toBe('export')
  expect(supplyOf(null, billing('29'), 'INR').supply).toBe('untaxed')
})

test('the financial year begins with April in India time', () => {
  expect(financialYear(Date.UTC(2027, 2, 31, 18, 29, 59, 999))).toBe('26-27')
  expect(financialYear(Date.UTC(2027, 2, 31, 18, 30))).toBe('27-28')
  expect(financialYear(Date.UTC(2099, 11, 31))).toBe('99-00')
})

test('a taxed receipt and its credit notes show the parts, and notes of partial refunds take back all of the tax', async () => {
  const fixture = await taxedFixture()
  const stored = JSON.stringify(billing('29'))
  const order = { billing: stored, currency: 'INR', amountMinor: 219_900 } as const
  const { purchase, claims, report } = await openUnpaidPurchase(order, fixture)
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  const call = { ...callOf(claims), params: { purchaseId: purchase.id } }
  const { receipt } = await getReceipt(fixture.ctx(), call)
  expect(receipt).toMatchObject({
    number: `R/${financialYear(fixture.now())}/000001`,
    lines: [{ amount: 219_900 - 33_544 }],
    tax: 33_544,
    total: 219_900,
    invoice: {
      cgst: 16_772,
      sgst: 16_772,
      igst: 0,
      ratePercent: 18,
      placeOfSupply: '29 Karnataka',
      sellerGstin: TAX.gstin,
      note: null,
      buyerName: 'Works',
      buyerAddress: 'Hall 1',
      buyerGstin: null,
    },
    creditNotes: [],
  })
  expect(receipt.number.length).toBeLessThanOrEqual(16)

  const isOpen = refundOf(payment, { amountMinor: 100_001, state: 'open' })
  await report({ refundsAndDisputes: [isOpen] })
  expect((await getReceipt(fixture.ctx(), call)).receipt.creditNotes).toEqual([])
  const parts = [isOpen.amountMinor, 60_000, 59_899].map((amountMinor, index) =>
    refundOf(payment, { id: index === 0 ? isOpen.id : `rfnd_EMU0000000000${index}`, amountMinor }),
  )
  await report({ refundsAndDisputes: parts.slice(0, 2) })
  await report({ refundsAndDisputes: parts })
  await report({ refundsAndDisputes: parts })
  const { creditNotes } = (await getReceipt(fixture.ctx(), call)).receipt
  const sum = (name: 'amount' | 'cgst' | 'sgst') =>
    creditNotes.reduce((total, note) => total + note[name], 0)
  expect(creditNotes.map(({ number }) => number.slice(-6))).toEqual(['000001', '000002', '000003'])
  expect([sum('amount'), sum('cgst'), sum('sgst')]).toEqual([219_900, 16_772, 16_772])
  const kept = (await getReceipt(fixture.ctx(), call)).receipt
  expect({ ...kept, amountRefunded: 0, creditNotes: [] }).toEqual(receipt)

  const month = monthInIndia(fixture.now())
  const { rows } = await listReceipts(fixture.ctx(), { ...callOf(claims), query: { month } })
  expect(rows[0]).toMatchObject({
    kind: 'receipt',
    taxable: 219_900 - 33_544,
    cgst: 16_772,
    sgst: 16_772,
    igst: 0,
    total: 219_900,
    ratePercent: 18,
  })
  const back = rows.slice(1).map(({ total }) => total)
  expect(back.toSorted()).toEqual(parts.map(({ amountMinor }) => -amountMinor).toSorted())
  expect(rows.reduce((total, { taxable, cgst, sgst }) => total + taxable + cgst + sgst, 0)).toBe(0)
  expect(await receiptsOfMonth(fixture.ctx(), month)).toEqual(rows)
  expect(await receiptsOfMonth(fixture.ctx(), '2020-01')).toEqual([])
})

test('an invoice says where the supply is, why an export is untaxed, and who the buyer is if they said so', async () => {
  const ctx = taxed((await emptyFixture()).ctx())
  const details = { name: '', address: '', gstin: '29AAGCB7383J1Z4' }
  const invoice = (place: string | null, currency: 'INR' | 'USD') => {
    const billing = place === null ? null : JSON.stringify({ ...details, place })
    return readInvoice(invoiceOf(ctx, { billing, currency }))
  }
  expect(invoice('29', 'INR')).toMatchObject({
    placeOfSupply: '29 Karnataka',
    note: null,
    buyerName: null,
    buyerAddress: null,
    buyerGstin: '29AAGCB7383J1Z4',
  })
  expect(invoice(null, 'USD')).toMatchObject({
    placeOfSupply: 'Outside India',
    note: expect.stringContaining('letter of undertaking AD29'),
    buyerName: null,
    buyerGstin: null,
  })
  expect(invoiceOf((await emptyFixture()).ctx(), { billing: null, currency: 'INR' })).toBeNull()
})

test('captures at once around the end of a financial year are numbered without gaps in each year', async () => {
  const fixture = await taxedFixture()
  const { userId } = await createAccount(fixture.ctx())
  const purchases = await Promise.all(
    Array.from({ length: 20 }, () => createPurchase(fixture.ctx(), userId)),
  )
  const edge = Date.UTC(2027, 2, 31, 18, 30)
  await Promise.all(
    purchases.map((purchase, index) => {
      const ctx = { ...fixture.ctx(), now: edge + (index % 2 === 0 ? -1 : 0) }
      return settle(ctx, purchase, factsOf({ payments: [paymentFor(purchase)] }))
    }),
  )
  const numbers = await fixture.read('SELECT series, number FROM receipts ORDER BY series, number')
  const ten = Array.from({ length: 10 }, (_, index) => index + 1)
  expect(numbers).toEqual([
    ...ten.map((number) => ({ series: '26-27', number })),
    ...ten.map((number) => ({ series: '27-28', number })),
  ])
})

test('the notes of a sale into another state take back its integrated tax, whatever went back of other sales and in other years', async () => {
  const fixture = await taxedFixture()
  const order = {
    billing: JSON.stringify(billing('27')),
    amountMinor: 219_900,
    currency: 'INR',
  } as const
  const [before, sale] = [
    await openUnpaidPurchase(order, fixture),
    await openUnpaidPurchase(order, fixture),
  ]
  const [other, payment] = [paymentFor(before.purchase), paymentFor(sale.purchase)]
  await before.report({ payments: [other] })
  await before.report({ refundsAndDisputes: [refundOf(other, { amountMinor: 1_004 })] })
  const [year, month] = [financialYear(fixture.now()), monthInIndia(fixture.now())]
  fixture.advance(days(366))
  const nextYear = financialYear(fixture.now())
  await sale.report({ payments: [payment] })
  for (const amountMinor of [1_006, 1_000, 217_894])
    await sale.report({ refundsAndDisputes: [refundOf(payment, { amountMinor })] })
  expect(await fixture.read('SELECT series, number, igst_minor AS igst FROM credit_notes')).toEqual(
    [
      { series: year, number: 1, igst: 153 },
      { series: nextYear, number: 1, igst: 153 },
      // 152 if the earlier refunds were subtracted instead of added.
      { series: nextYear, number: 2, igst: 153 },
      { series: nextYear, number: 3, igst: 33_544 - 306 },
    ],
  )
  expect(await receiptsOfMonth(fixture.ctx(), month)).toMatchObject([
    { taxable: 219_900 - 33_544, cgst: 0, igst: 33_544 },
    { taxable: 153 - 1_004, igst: -153 },
  ])
})
