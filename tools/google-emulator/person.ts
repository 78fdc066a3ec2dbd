import { z } from '../../src/contract/zod.ts'

/** A test person of the stand-in; `sub` is what tells two of them apart. */
export const Person = z.object({
  sub: z.string().min(1).max(255),
  name: z.string().max(200).default(''),
  email: z.string().max(254),
  email_verified: z.boolean(),
})
export type Person = z.output<typeof Person>

/** What the page offers besides typing somebody new. */
export const PEOPLE: readonly Person[] = [
  { sub: 'emu-ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true },
  { sub: 'emu-grace', name: 'Grace Hopper', email: 'grace@example.com', email_verified: true },
  { sub: 'emu-new', name: 'Not Verified', email: 'unproven@example.com', email_verified: false },
]

/** The same address is the same person, so that signing in twice by typing finds the same account. */
export function typedPerson(typed: Omit<Person, 'sub'>): Person {
  return { ...typed, sub: `emu:${typed.email.trim().toLowerCase()}` }
}
