import { User } from './account.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { inAscii, text } from './text.ts'
import { z } from './zod.ts'

/** The states of India and its union territories by their GST code, and what the GST returns call other countries. */
export const PLACES: Readonly<Record<string, string>> = {
  '01': 'Jammu and Kashmir',
  '02': 'Himachal Pradesh',
  '03': 'Punjab',
  '04': 'Chandigarh',
  '05': 'Uttarakhand',
  '06': 'Haryana',
  '07': 'Delhi',
  '08': 'Rajasthan',
  '09': 'Uttar Pradesh',
  '10': 'Bihar',
  '11': 'Sikkim',
  '12': 'Arunachal Pradesh',
  '13': 'Nagaland',
  '14': 'Manipur',
  '15': 'Mizoram',
  '16': 'Tripura',
  '17': 'Meghalaya',
  '18': 'Assam',
  '19': 'West Bengal',
  '20': 'Jharkhand',
  '21': 'Odisha',
  '22': 'Chhattisgarh',
  '23': 'Madhya Pradesh',
  '24': 'Gujarat',
  '26': 'Dadra and Nagar Haveli and Daman and Diu',
  '27': 'Maharashtra',
  '29': 'Karnataka',
  '30': 'Goa',
  '31': 'Lakshadweep',
  '32': 'Kerala',
  '33': 'Tamil Nadu',
  '34': 'Puducherry',
  '35': 'Andaman and Nicobar Islands',
  '36': 'Telangana',
  '37': 'Andhra Pradesh',
  '38': 'Ladakh',
  '96': 'Outside India',
  '97': 'Other Territory',
}

export const OUTSIDE_INDIA = '96'

/** The ISO 3166 code. */
export const INDIA = 'IN'

/** Registrations of taxpayers, of those who deduct (D) or collect (C) tax, of non-residents (NR, OS) and of UN bodies (UN). */
const GSTIN =
  /^(\d{2}[A-Z]{4}[0-9A-Z]\d{4}[A-Z][1-9A-Z][ZDC]|\d{4}[A-Z]{3}\d{5}(NR|OS|UN|ON))[0-9A-Z]$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Whether a text has the form of a GST identification number and its last digit is the check digit of the others. */
export function isGstin(gstin: string): boolean {
  if (!GSTIN.test(gstin)) return false
  const sum = Array.from(gstin.slice(0, -1)).reduce((total, digit, index) => {
    const product = DIGITS.indexOf(digit) * (index % 2 === 0 ? 1 : 2)
    return total + Math.floor(product / DIGITS.length) + (product % DIGITS.length)
  }, 0)
  return DIGITS.charAt((DIGITS.length - (sum % DIGITS.length)) % DIGITS.length) === gstin.at(-1)
}

/** A GSTIN begins with its state, or with 99 for sellers abroad without a state. */
function isOfPlace(gstin: string, place: string): boolean {
  return gstin.startsWith(place) || (gstin.startsWith('99') && place === OUTSIDE_INDIA)
}

/** For whom a receipt is made out, where prices include tax. Only the place is needed: the tax depends on it. */
export const BillingDetails = z
  .object({
    place: z
      .string()
      .max(2)
      .refine((code) => Object.hasOwn(PLACES, code), 'Choose where you are'),
    name: text({ max: 120 }).default(''),
    address: text({ max: 300 }).default(''),
    gstin: text({ max: 15, clean: inAscii })
      .transform((typed) => typed.toUpperCase())
      .default(''),
  })
  .refine(({ gstin }) => gstin === '' || isGstin(gstin), {
    path: ['gstin'],
    error: 'This is not a valid GSTIN: please check its 15 characters',
  })
  .refine(({ gstin, place }) => gstin === '' || isOfPlace(gstin, place), {
    path: ['gstin'],
    error: 'This GSTIN belongs to another state',
  })
export type BillingDetails = z.infer<typeof BillingDetails>

export const updateBillingEndpoint = defineEndpoint({
  id: 'updateBilling',
  method: 'PATCH',
  path: '/api/auth/billing',
  access: 'session',
  body: BillingDetails,
  success: success({ user: User }),
  limit: 'change',
})
