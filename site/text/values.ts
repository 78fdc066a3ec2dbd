import { brand } from '../brand.ts'
import { PRICES } from './prices.ts'

/** Everything a text may ask for in braces. */
export const VALUES = {
  ...PRICES,
  productName: brand.productName,
  company: brand.company,
  legalEntity: brand.legalEntity,
  city: brand.place.city,
  country: brand.place.country,
  supportEmail: brand.supportEmail,
  securityEmail: brand.securityEmail,
} as const
