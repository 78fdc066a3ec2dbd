import { CAREERS, TOAST } from '../../../src/contract/messages.ts'
import type { Example } from './example.ts'

export const VISITOR_EXAMPLES: Readonly<Record<string, Example>> = {
  submitTicket: {
    body: {
      email: 'ada@example.com',
      severity: 'medium',
      isFeatureRequest: false,
      query: 'The slip does not show on my second screen.',
    },
    success: { success: true, message: TOAST.ticketSent, ticketNumber: 'T-42' },
  },
  apply: {
    body: {
      jobId: 'software-engineer-junior',
      fullName: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+44 20 7946 0000',
      linkedinUrl: '',
      githubUrl: 'https://github.com/ada',
      resumeUrl: 'https://example.com/ada.pdf',
      currentLocation: 'London, United Kingdom',
      workingCountry: 'United Kingdom',
      workAuthorization: 'other-visa',
      remotePreference: 'hybrid',
      experience: 'Notes on the analytical engine.',
      whyJoin: 'I like quiet machines.',
    },
    success: { success: true, message: CAREERS.success, applicationNumber: 'A-7' },
  },
  live: { success: { success: true } },
  health: {
    success: {
      success: true,
      live: true,
      ready: true,
      parts: {
        database: { status: 'ok', detail: 'answers' },
        mail: { status: 'ok', detail: 'nothing waits' },
      },
    },
  },
}
