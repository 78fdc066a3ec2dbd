import type { Context } from '../../../edge-api/domain/context.ts'

/** A seller in Karnataka who is registered for GST at 18 %. */
export const TAX = {
  gstin: '29AAGCB7383J1Z4',
  sac: '998314',
  rate: 1_800,
  state: '29',
  lut: 'AD29',
}

/** The current month in India, such as 2026-11. */
export const monthInIndia = (now: number) => new Date(now + 19_800_000).toISOString().slice(0, 7)

/** The context of a seller who charges tax. */
export function taxed(ctx: Context): Context {
  const { brand } = ctx
  return { ...ctx, brand: { ...brand, seller: { ...brand.seller, tax: TAX } } }
}
