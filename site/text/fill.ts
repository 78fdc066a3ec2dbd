import { MAIN_PLAN, majorAmount, TOKEN_PACK } from '../../src/contract/catalogue.ts'
import { formatCount, formatPrice } from '../../src/lib/numbers.ts'
import { brand } from '../brand.ts'

/** The values of the catalogue that texts may name: `{planName}`, `{planUsd}`, `{packInr}`. */
export const PRICES = {
  planName: MAIN_PLAN.name,
  planDays: String(MAIN_PLAN.accessDays),
  planTokens: formatCount(MAIN_PLAN.tokens),
  packTokens: formatCount(TOKEN_PACK.tokens),
  planUsd: formatPrice(majorAmount(MAIN_PLAN.priceMinor.USD), 'USD'),
  planInr: formatPrice(majorAmount(MAIN_PLAN.priceMinor.INR), 'INR'),
  packUsd: formatPrice(majorAmount(TOKEN_PACK.priceMinor.USD), 'USD'),
  packInr: formatPrice(majorAmount(TOKEN_PACK.priceMinor.INR), 'INR'),
} as const

/** Every name that a text may write in braces. */
const VALUES = {
  ...PRICES,
  productName: brand.productName,
  company: brand.company,
  legalEntity: brand.legalEntity,
  city: brand.place.city,
  country: brand.place.country,
  supportEmail: brand.supportEmail,
  securityEmail: brand.securityEmail,
} as const

/**
 * Puts values where a text says `{name}`. Texts in content/ hold no product name or price of their own, so that
 * brand.ts and the catalogue stay the only places that do.
 * Throws on an unknown name, which stops the build.
 */
export function fill(text: string, values: Readonly<Record<string, string>> = VALUES): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`A text asks for {${name}}, which nobody knows.`)
    return value
  })
}

/**
 * The HTML of a Markdown text with its values filled in. `<{supportEmail}>` becomes a mail link, because Markdown only
 * knows addresses it can see; tables may be scrolled where they do not fit.
 */
export function proseHtml(rendered: string | undefined): string {
  if (rendered === undefined) throw new Error('A text was not rendered.')
  const linked = rendered.replace(
    /(?:<|&#x3C;|&lt;)(\{\w+Email\})(?:>|&gt;)/g,
    '<a href="mailto:$1">$1</a>',
  )
  return fill(linked)
    .replaceAll('<table>', '<div class="table-scroll" tabindex="0"><table class="table">')
    .replaceAll('</table>', '</table></div>')
}
