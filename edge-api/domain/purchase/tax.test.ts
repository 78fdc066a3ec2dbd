import { expect, test } from 'vitest'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  refundOf,
} from '#harness/fixture/purchase.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { monthInIndia, TAX, taxed } from '#harness/fixture/taxed.ts'
import { callOf } from '#harness/fixture/fixture.ts'
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

/** A purchase of ₹2,199.00 from this state, of which 33,544 paise are tax. */
const orderFrom = (place: string) =>
  ({ billing: JSON.stringify(billing(place)), currency: 'INR', amountMinor: 219_900 }) as const
const TAXABLE = 219_900 - 33_544

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

test('a taxed receipt, its credit note and the list of a month show the parts of the tax', async () => {
  const fixture = await taxedFixture()
  const { purchase, claims, report } = await openUnpaidPurchase(orderFrom('29'), fixture)
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  const call = { ...callOf(claims), params: { purchaseId: purchase.id } }
  const { receipt } = await getReceipt(fixture.ctx(), call)
  expect(receipt).toMatchObject({
    number: `R/${financialYear(fixture.now())}/000001`,
    lines: [{ amount: TAXABLE }],
    tax: 33_544,
    total: 219_900,
    invoice: {
      ...{ cgst: 16_772, sgst: 16_772, igst: 0, ratePercent: 18, note: null },
      ...{ placeOfSupply: '29 Karnataka', sellerGstin: TAX.gstin },
      ...{ buyerName: 'Works', buyerAddress: 'Hall 1', buyerGstin: null },
    },
    creditNotes: [],
  })
  expect(receipt.number.length).toBeLessThanOrEqual(16)
  await report({ refunds: [refundOf(payment)] })
  const { creditNotes, ...kept } = (await getReceipt(fixture.ctx(), call)).receipt
  expect(creditNotes).toMatchObject([{ amount: 219_900, cgst: 16_772, sgst: 16_772 }])
  expect({ ...kept, amountRefunded: 0, creditNotes: [] }).toEqual(receipt)

  const month = monthInIndia(fixture.now())
  const { rows } = await listReceipts(fixture.ctx(), { ...callOf(claims), query: { month } })
  const sold = { cgst: 16_772, sgst: 16_772, igst: 0, ratePercent: 18 }
  expect(rows).toMatchObject([
    { kind: 'receipt', taxable: TAXABLE, total: 219_900, ...sold },
    { taxable: -TAXABLE, cgst: -16_772, sgst: -16_772, total: -219_900 },
  ])
  expect(await receiptsOfMonth(fixture.ctx(), month)).toEqual(rows)
  expect(await receiptsOfMonth(fixture.ctx(), '2020-01')).toEqual([])
})

test('an invoice says where the supply is, why an export is untaxed, and who the buyer is if they said so', async () => {
  let ctx = taxed((await emptyFixture()).ctx())
  const details = { name: '', address: '', gstin: '29AAGCB7383J1Z4' }
  const invoice = (place: string | null, currency: 'INR' | 'USD') => {
    const billing = place === null ? null : JSON.stringify({ ...details, place })
    return readInvoice(invoiceOf(ctx, { billing, currency }))
  }
  expect(invoice('29', 'INR')).toMatchObject({
    ...{ sellerAddress: 'Bengaluru, Karnataka, India', placeOfSupply: '29 Karnataka', note: null },
    ...{ buyerName: null, buyerAddress: null, buyerGstin: '29AAGCB7383J1Z4' },
  })
  const { seller } = ctx.brand
  const seated = { ...seller, street: '1 MG Road', postalCode: '560001' }
  ctx = { ...ctx, brand: { ...ctx.brand, seller: seated } }
  expect(invoice('29', 'INR')?.sellerAddress).toBe('1 MG Road, Bengaluru 560001, Karnataka, India')
  expect(invoice(null, 'USD')).toMatchObject({
    placeOfSupply: 'Outside India',
    note: expect.stringContaining('letter of undertaking AD29'),
    ...{ buyerName: null, buyerGstin: null },
  })
  expect(invoiceOf((await emptyFixture()).ctx(), { billing: null, currency: 'INR' })).toBeNull()
})

test('captures at once around the end of a financial year are numbered without gaps in each year', async () => {
  const fixture = await taxedFixture()
  const { userId } = await createAccount(fixture.ctx())
  const purchases = await Promise.all(
    Array.from({ length: 8 }, () => createPurchase(fixture.ctx(), userId)),
  )
  const edge = Date.UTC(2027, 2, 31, 18, 30)
  await Promise.all(
    purchases.map((purchase, index) => {
      const ctx = { ...fixture.ctx(), now: edge + (index % 2 === 0 ? -1 : 0) }
      return settle(ctx, purchase, factsOf({ payments: [paymentFor(purchase)] }))
    }),
  )
  const numbers = await fixture.read('SELECT series, number FROM receipts ORDER BY series, number')
  const ofYear = (series: string) => [1, 2, 3, 4].map((number) => ({ series, number }))
  expect(numbers).toEqual([...ofYear('26-27'), ...ofYear('27-28')])
})

test('a credit note is numbered in the year in which it is issued, and takes back integrated tax', async () => {
  const fixture = await taxedFixture()
  const refundOneIn = async (amountMinor: number) => {
    const { purchase, report } = await openUnpaidPurchase(orderFrom('27'), fixture)
    const payment = paymentFor(purchase)
    await report({ payments: [payment] })
    await report({ refunds: [refundOf(payment, { amountMinor })] })
    return financialYear(fixture.now())
  }
  const month = monthInIndia(fixture.now())
  const year = await refundOneIn(1_004)
  fixture.advance(days(366))
  const nextYear = await refundOneIn(219_900)
  expect(await fixture.read('SELECT series, number, igst_minor AS igst FROM credit_notes')).toEqual(
    [
      { series: year, number: 1, igst: 153 },
      { series: nextYear, number: 1, igst: 33_544 },
    ],
  )
  expect(await receiptsOfMonth(fixture.ctx(), month)).toMatchObject([
    { taxable: TAXABLE, cgst: 0, igst: 33_544 },
    { taxable: 153 - 1_004, igst: -153 },
  ])
})
