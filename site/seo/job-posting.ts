import { brand } from '../brand.ts'
import type { Thing } from './json-ld.ts'
import { organization } from './things.ts'

interface Job {
  readonly jobId: string
  readonly title: string
  readonly posted: string
  readonly description: string
  readonly responsibilities: readonly string[]
  readonly requirements: readonly string[]
  readonly preferred: readonly string[]
}

/** A position as schema.org's JobPosting; remote work, applicants from where the office is. */
export function jobPosting(job: Job, site: URL | undefined): Thing {
  const { place } = brand
  return {
    '@type': 'JobPosting',
    title: job.title,
    identifier: { '@type': 'PropertyValue', name: brand.company, value: job.jobId },
    datePosted: job.posted,
    employmentType: 'FULL_TIME',
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
    jobLocationType: 'TELECOMMUTE',
    applicantLocationRequirements: { '@type': 'Country', name: place.country },
    directApply: true,
    url: new URL('/careers', site).href,
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
