import { ApplicationInput } from '../../src/contract/careers.ts'

/** An application for a job, without the applicant's address. */
export const APPLICATION = ApplicationInput.omit({ email: true }).parse({
  jobId: 'software-engineer-junior',
  fullName: 'Ada',
  phone: '1',
  resumeUrl: 'https://example.test/cv',
  currentLocation: 'London',
  workingCountry: 'Other',
  workAuthorization: 'other-visa',
  remotePreference: 'hybrid',
  experience: 'Much',
  whyJoin: 'Work',
})
