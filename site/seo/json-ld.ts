import { majorAmount, PLANS } from '../../src/contract/catalogue.ts'
import { CURRENCIES } from '../../src/contract/kinds.ts'
import { brand } from '../brand.ts'
import type { Question } from '../text/questions.ts'

/** A schema.org object; the page contains it unchanged. */
export interface Thing {
  readonly '@type': string
  readonly [property: string]: unknown
}

/** JSON for a script element: `<` is escaped so that no text can end the element. */
export function jsonLdText(thing: Thing): string {
  return JSON.stringify({ '@context': 'https://schema.org', ...thing }).replaceAll('<', '\\u003c')
}

/** The company as schema.org's Organization. `site` is the origin of the pages. */
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

/** The desktop app as schema.org's SoftwareApplication, with an offer for each plan and currency. */
export function softwareApplication(site: URL | undefined): Thing {
  return {
    '@type': 'SoftwareApplication',
    name: brand.productName,
    description: brand.description,
    url: new URL('/', site).href,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'macOS, Windows',
    downloadUrl: new URL('/download', site).href,
    offers: PLANS.flatMap(({ name, priceMinor }) =>
      CURRENCIES.map((currency) => ({
        '@type': 'Offer',
        name,
        price: majorAmount(priceMinor[currency]),
        priceCurrency: currency,
      })),
    ),
  }
}

/** The questions of a page as schema.org's FAQPage. */
export function faqPage(questions: readonly Question[]): Thing {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}
