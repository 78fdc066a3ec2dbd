import { defineEndpoint, success } from './endpoint.ts'
import { LONG_TEXT_MAX, NAME_MAX, PHONE_MAX, SHORT_TEXT_MAX, URL_MAX } from './limits.ts'
import { asciiAddress, email, phone, text, webLink } from './text.ts'
import { z } from './zod.ts'

export const JobId = z.enum(['software-engineer-junior', 'staff-software-engineer-cto'])

export const JOB_TITLES: Record<z.output<typeof JobId>, string> = {
  'software-engineer-junior': 'Software Engineer',
  'staff-software-engineer-cto': 'Staff Software Engineer',
}

export const WORKING_COUNTRIES = [
  'United States',
  'India',
  'Canada',
  'United Kingdom',
  'Germany',
  'France',
  'Australia',
  'Singapore',
  'Netherlands',
  'Sweden',
  'Switzerland',
  'Japan',
  'South Korea',
  'Brazil',
  'Mexico',
  'Other',
] as const

export const WORK_AUTHORIZATIONS = [
  'us-citizen',
  'green-card',
  'h1b',
  'opt',
  'other-visa',
  'no-authorization',
] as const

export const REMOTE_PREFERENCES = ['fully-remote', 'hybrid', 'office-preferred'] as const

const REQUIRED = 'is required'
const CHOOSE = 'must be chosen from the list'
const LINK = 'must be a web address that starts with https:// or http://'
const UNFIT = 'contains characters that cannot be stored'
const tooLong = (max: number) => `cannot exceed ${max} characters`

const WebLink = webLink(URL_MAX, { invalid: LINK, tooLong: tooLong(URL_MAX) })

const OptionalLink = z.union([z.literal(''), WebLink], LINK).default('')

/** The rules of a required text. Their messages continue the label of the field: "Full Name is required". */
const required = (max: number) => ({ max, required: REQUIRED, tooLong: tooLong(max), unfit: UNFIT })
const requiredText = (max: number, oneLine = true) => text({ ...required(max), oneLine })

const OPTION_NAMES = new Map<string, string>([
  ...Object.entries(JOB_TITLES),
  ['us-citizen', 'US citizen'],
  ['green-card', 'Green card'],
  ['h1b', 'H-1B visa'],
  ['opt', 'OPT'],
  ['other-visa', 'Another visa'],
  ['no-authorization', 'No authorization yet'],
  ['fully-remote', 'Fully remote'],
  ['hybrid', 'Hybrid'],
  ['office-preferred', 'Office preferred'],
])

/** How people read an option of the form; other texts as they are. */
export function optionName(value: string): string {
  return OPTION_NAMES.get(value) ?? value
}

export const ApplicationInput = z.object({
  jobId: z.enum(JobId.options, CHOOSE),
  fullName: requiredText(2 * NAME_MAX),
  email: email('must be a valid email address').overwrite(asciiAddress),
  phone: phone(required(PHONE_MAX), 'must be a valid phone number'),
  linkedinUrl: OptionalLink,
  githubUrl: OptionalLink,
  resumeUrl: WebLink,
  currentLocation: requiredText(SHORT_TEXT_MAX),
  workingCountry: z.enum(WORKING_COUNTRIES, CHOOSE),
  workAuthorization: z.enum(WORK_AUTHORIZATIONS, CHOOSE),
  remotePreference: z.enum(REMOTE_PREFERENCES, CHOOSE),
  experience: requiredText(LONG_TEXT_MAX, false),
  whyJoin: requiredText(LONG_TEXT_MAX, false),
})

export const applyEndpoint = defineEndpoint({
  id: 'apply',
  method: 'POST',
  path: '/api/careers/apply',
  access: 'public',
  body: ApplicationInput,
  success: success({ applicationNumber: z.string().max(20) }),
  limit: 'careers',
})
