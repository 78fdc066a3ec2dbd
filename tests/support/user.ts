import { User } from '../../src/contract/account.ts'

const NEW_USER = {
  id: 'usr_01k9zq3v7w8x9y0abcdefghjkm',
  username: 'ada',
  email: 'ada@example.test',
  isEmailVerified: true,
  createdAt: '2026-11-02T09:30:00.000Z',
  phone: null,
  firstName: null,
  lastName: null,
  profile: { firstName: null, lastName: null, fullName: null, bio: null },
  subscription: {
    status: 'inactive',
    plan: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
  },
  tokens: { used: 0, total: 0 },
  preferences: {
    theme: 'system',
    currency: 'USD',
    mailReceipts: true,
    mailReminders: true,
    mailSecurity: true,
  },
  unreadNotices: 0,
} as const

/** A user as the server would send one. */
export function aUser(changes: Partial<User> = {}): User {
  return User.parse({ ...NEW_USER, ...changes })
}
