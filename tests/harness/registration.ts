import { randomUUID } from 'node:crypto'
import { PASSWORD } from './user.ts'

/** The fields of a registration with an address and a name that nobody else in this run has. */
export function newRegistration(password = PASSWORD) {
  const username = `n_${randomUUID().replaceAll('-', '').slice(0, 20)}`
  const email = `${username}@example.test`
  return { username, email, password, confirmPassword: password }
}
