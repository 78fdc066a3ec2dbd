import { MAIN_PLAN, majorAmount } from '../../src/contract/catalogue.ts'
import { brand } from '../brand.ts'
import type { Thing } from './json-ld.ts'

/** The maker, as search engines know it. `site` is the origin of the pages. */
export function organization(site: URL | undefined): Thing {
  return {
    '@type': 'Organization',
    name: brand.company,
    legalName: brand.legalEntity,
    url: new URL('/', site).href,
    logo: new URL('/icon-512.png', site).href,
    email: brand.supportEmail,
    sameAs: [brand.videoChannelUrl, brand.codeHostUrl],
  }
}

/** The desktop app and what it costs, one offer a currency. */
export function softwareApplication(site: URL | undefined): Thing {
  return {
    '@type': 'SoftwareApplication',
    name: brand.productName,
    description: brand.description,
    url: new URL('/', site).href,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'macOS 10.15 or later, Windows 10, Windows 11',
    downloadUrl: new URL('/download', site).href,
    offers: (['USD', 'INR'] as const).map((currency) => ({
      '@type': 'Offer',
      name: MAIN_PLAN.name,
      price: majorAmount(MAIN_PLAN.priceMinor[currency]),
      priceCurrency: currency,
      url: new URL('/subscription', site).href,
    })),
  }
}
