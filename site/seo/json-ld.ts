import { WORKING_COUNTRIES } from '../../src/contract/careers.ts'
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

interface Job {
  readonly jobId: string
  readonly title: string
  /** Where it is done: `Remote` when from anywhere alone. */
  readonly location: string
  readonly type: string
  readonly posted: string
  readonly description: string
  readonly responsibilities: readonly string[]
  readonly requirements: readonly string[]
  readonly preferred: readonly string[]
}

/** The countries that the application form names. */
const countries = WORKING_COUNTRIES.filter((name) => name !== 'Other')

/** A position as schema.org's JobPosting. One that is remote alone is for applicants in the countries of the form. */
export function jobPosting(job: Job, site: URL | undefined): Thing {
  const { place } = brand
  return {
    '@type': 'JobPosting',
    title: job.title,
    identifier: { '@type': 'PropertyValue', name: brand.company, value: job.jobId },
    datePosted: job.posted,
    employmentType: job.type.toUpperCase().replace('-', '_'),
    description: descriptionHtml(job),
    hiringOrganization: organization(site),
    jobLocation: {
      '@type': 'Place',
      address: {
        '@type': 'PostalAddress',
        addressLocality: place.city,
        addressRegion: place.region,
        addressCountry: place.countryCode,
      },
    },
    // Search engines show a job with it as one that is never done at a place.
    ...(job.location === 'Remote' && {
      jobLocationType: 'TELECOMMUTE',
      applicantLocationRequirements: countries.map((name) => ({ '@type': 'Country', name })),
    }),
    directApply: true,
    url: new URL(`/careers#${job.jobId}`, site).href,
  }
}

function descriptionHtml(job: Job): string {
  const list = (title: string, items: readonly string[]) =>
    `<p>${title}</p><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
  return [
    `<p>${job.description}</p>`,
    list('Key Responsibilities', job.responsibilities),
    list('Requirements', job.requirements),
    list('Preferred Qualifications', job.preferred),
  ].join('')
}
