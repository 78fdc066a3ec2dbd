import { answersIn, TOKENS_PER_ANSWER, TRIAL_TOKENS } from '../../src/contract/answers.ts'
import {
  type Item,
  MAIN_PLAN,
  majorAmount,
  PLANS,
  TOKEN_PACK,
} from '../../src/contract/catalogue.ts'
import {
  APPLICATION_MONTHS,
  CORRECTION_DAYS,
  ORDER_DAYS,
  REFUND_DAYS,
} from '../../src/contract/limits.ts'
import { REFUND_TERMS, SEEN_BY_OTHERS } from '../../src/contract/messages.ts'
import type { Currency } from '../../src/contract/currency.ts'
import { browserKeeps } from '../../src/lib/browser-storage.ts'
import { formatCount, formatPrice } from '../../src/lib/numbers.ts'
import { brand } from '../brand.ts'
import { releases } from '../releases/releases.ts'
import { whatWeSaw } from '../releases/texts.ts'

const price = ({ priceMinor }: Item, currency: Currency) =>
  formatPrice(majorAmount(priceMinor[currency]), currency)
const both = (item: Item) => `${price(item, 'USD')} or ${price(item, 'INR')}`

/** The values of the catalogue that texts may use. `planName`, `planTokens` and `planUsd` are those of the first plan. */
export const PRICES = {
  planName: MAIN_PLAN.name,
  planDays: [...new Set(PLANS.map(({ accessDays }) => accessDays))].join(' or '),
  planTokens: formatCount(MAIN_PLAN.tokens),
  packTokens: formatCount(TOKEN_PACK.tokens),
  planAnswers: formatCount(answersIn(MAIN_PLAN.tokens)),
  trialTokens: formatCount(TRIAL_TOKENS),
  trialAnswers: formatCount(answersIn(TRIAL_TOKENS)),
  answerTokens: formatCount(TOKENS_PER_ANSWER),
  planUsd: price(MAIN_PLAN, 'USD'),
  packPrice: both(TOKEN_PACK),
  planPrices: PLANS.map((plan) => `${both(plan)} for ${plan.name}`).join(', '),
  planOffers: PLANS.map(
    (plan) =>
      `${plan.name}: ${both(plan)}, paid once, for ${formatCount(plan.tokens)} tokens and ${plan.accessDays} days`,
  ).join('; or with '),
  planGrants: PLANS.map(
    ({ name, tokens, accessDays }) =>
      `The ${name} plan adds ${formatCount(tokens)} tokens and access for ${accessDays} days from the day of payment.`,
  ).join(' '),
} as const

/** The seller's postal address on one line. */
function sellerAddress(): string {
  const { place, seller } = brand
  const city = `${place.city} ${seller.postalCode}`.trim()
  return [seller.street, city, place.region, place.country].filter(Boolean).join(', ')
}

/** "Asha Rao, Grievance Officer," or, before somebody is named, "Our grievance officer". */
function officerInWords({ name, designation }: { name: string; designation: string }): string {
  return name === '' ? `Our ${designation.toLowerCase()}` : `${name}, ${designation},`
}

/** Blank until the owner fills them in. */
const { phone } = brand.seller
const { answersMadeBy }: { answersMadeBy: string } = brand
const { taxRecordYears } = brand.seller
const recipients: Readonly<Record<keyof typeof brand.recipients, string>> = brand.recipients

/** The value of every name that a text may contain in braces. */
const VALUES = {
  ...PRICES,
  refundDays: `${REFUND_DAYS}`,
  refundWindow: REFUND_TERMS,
  seenByOthers: SEEN_BY_OTHERS,
  orderDays: `${ORDER_DAYS}`,
  correctionDays: `${CORRECTION_DAYS}`,
  applicationMonths: `${APPLICATION_MONTHS}`,
  productName: brand.productName,
  company: brand.company,
  legalEntity: brand.legalEntity,
  city: brand.place.city,
  country: brand.place.country,
  address: sellerAddress(),
  phone,
  orPhone: phone && `, phone ${phone}`,
  officer: officerInWords(brand.seller.grievanceOfficer),
  officerHours: brand.seller.grievanceOfficer.hours,
  officerEmail: brand.seller.grievanceOfficer.email,
  gstin: brand.seller.tax?.gstin ?? 'None (not registered for GST)',
  answersMadeBy: answersMadeBy || 'a provider of AI models',
  taxRecords: taxRecordYears
    ? `${taxRecordYears} years, for tax law`
    : 'as long as tax law requires',
  ofDatabase: recipients.database && `, ${recipients.database},`,
  ofStorage: recipients.storage && `, ${recipients.storage},`,
  ofMailbox: recipients.mailbox && `, ${recipients.mailbox},`,
  transferSafeguards: recipients.transferSafeguards || 'the safeguards that the law asks for',
  browserKeeps: browserKeeps(),
  supportEmail: brand.supportEmail,
  securityEmail: brand.securityEmail,
  whatWeSaw: whatWeSaw(releases),
} as const

/**
 * Replaces each `{name}` in a text with its value. Texts in content/ contain no product name or price, so that only
 * brand.ts and the catalogue define them. Throws on an unknown name, which stops the build.
 */
export function fill(text: string, values: Readonly<Record<string, string>> = VALUES): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`A text uses {${name}}, which is not defined.`)
    return value
  })
}

/**
 * The HTML of a Markdown text with its values filled in. `<{supportEmail}>` becomes a mail link, because Markdown
 * does not recognise it as an address. Rows of facts that are not set are left out. Tables that do not fit can be scrolled.
 */
export function proseHtml(rendered: string | undefined): string {
  if (rendered === undefined) throw new Error('A text was not rendered.')
  const linked = rendered.replace(
    /(?:<|&#x3C;|&lt;)(\{\w+Email\})(?:>|&gt;)/g,
    '<a href="mailto:$1">$1</a>',
  )
  return fill(linked)
    .replaceAll(/<tr>\s*<td>[^<]*<\/td>\s*<td>\s*<\/td>\s*<\/tr>/g, '')
    .replaceAll('<table>', '<div class="table-scroll"><table class="table">')
    .replaceAll('</table>', '</table></div>')
}
