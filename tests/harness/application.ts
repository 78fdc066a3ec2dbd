/** An application for a job, without the address of whoever applies. */
export const APPLICATION = {
  jobId: 'software-engineer-junior',
  fullName: 'Ada',
  phone: '1',
  linkedinUrl: '',
  githubUrl: '',
  resumeUrl: 'https://example.test/cv',
  currentLocation: 'London',
  workingCountry: 'Other',
  workAuthorization: 'other-visa',
  remotePreference: 'hybrid',
  experience: 'Much',
  whyJoin: 'Work',
} as const
