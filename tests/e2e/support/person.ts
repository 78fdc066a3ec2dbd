import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { loginEndpoint, registerEndpoint } from '../../../src/contract/session.ts'
import type { Holding } from '../../harness/holding.ts'
import { createMember } from '../../harness/member.ts'
import { newVisitor } from '../../harness/visitor.ts'

export interface Person {
  username: string
  email: string
  password: string
}

/** Somebody nobody else in this run is. */
export function newPerson(): Person {
  const name = `p_${randomBytes(6).toString('hex')}`
  return { username: name, email: `${name}@example.test`, password: 'Quiet-line-1' }
}

/** A registered person and their bearer token, made by rows: no hash is waited for, and no mail is sent. */
export async function registeredPerson(holding: Holding = {}) {
  const member = await createMember({ isVerified: false, ...holding })
  const { userId, username, email, password, bearer: token } = member
  return { userId, username, email, password, token }
}

/** The same made through the API, as registering does it: with a mail. */
export async function personWithMail() {
  const person = newPerson()
  const json = { ...person, confirmPassword: person.password }
  const { body } = await newVisitor(inject('siteUrl')).call(registerEndpoint.path, { json })
  return { ...person, token: registerEndpoint.success.parse(body).token }
}

/** Another session of the same person. */
export async function anotherToken(person: Person): Promise<string> {
  const { email, password } = person
  const answer = await newVisitor(inject('siteUrl')).call(loginEndpoint.path, {
    json: { email, password },
  })
  return loginEndpoint.success.parse(answer.body).token
}

/** Puts a person's session into a page that has not been opened yet. */
export async function signInBrowser(page: Page, token: string): Promise<void> {
  await page.addInitScript((value) => {
    if (sessionStorage.getItem('was-given') !== null) return
    sessionStorage.setItem('was-given', 'yes')
    localStorage.setItem('token', value)
  }, token)
}

/** Fills the form of /register. */
export async function fillRegistration(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password)
}

/** Fills the form of /login and sends it. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The path of the page, once it is this one and has loaded. Not by the navigation, which another may overtake. */
export async function expectPath(page: Page, path: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).pathname).toBe(path)
  await page.waitForLoadState()
}
