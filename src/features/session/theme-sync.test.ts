import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { aUser } from '../../../tests/stores/samples.ts'
import { type Preferences, updatePreferencesEndpoint } from '../../contract/account.ts'
import { createThemeSync } from './theme-sync.ts'

type Theme = Preferences['theme']

const userWith = (theme: Theme) => aUser({ preferences: { ...aUser().preferences, theme } })

/** A browser with the theme `here` meets an account with the theme `account`, until they agree. */
async function meet(here: Theme, account: Theme, agreed?: Theme) {
  const { server, session, environment } = await createStoreFixture()
  const { storage } = environment
  storage.setItem('theme', here)
  if (agreed !== undefined) storage.setItem('theme-agreed', agreed)
  server.answer(updatePreferencesEndpoint, { user: userWith(here) })
  createThemeSync().start()
  session.setUser(userWith(account))
  await expect.poll(() => storage.getItem('theme-agreed')).toBe(storage.getItem('theme'))
  const saved = () => server.requests.map(({ body }) => body)
  return { saved, shown: () => storage.getItem('theme'), session }
}

test.each([
  { here: 'dark', account: 'system', agreed: undefined, saved: ['dark'], shown: 'dark' },
  { here: 'system', account: 'dark', agreed: undefined, saved: [], shown: 'dark' },
  { here: 'light', account: 'dark', agreed: undefined, saved: [], shown: 'dark' },
  { here: 'light', account: 'dark', agreed: 'dark', saved: ['light'], shown: 'light' },
  { here: 'light', account: 'dark', agreed: 'light', saved: [], shown: 'dark' },
  { here: 'system', account: 'dark', agreed: 'dark', saved: ['system'], shown: 'system' },
  { here: 'dark', account: 'dark', agreed: 'light', saved: [], shown: 'dark' },
] as const)(
  'here $here, account $account, last agreed $agreed: shows $shown, saves $saved',
  async ({ here, account, agreed, saved, shown }) => {
    const met = await meet(here, account, agreed)
    expect([met.saved(), met.shown()]).toEqual([saved.map((theme) => ({ theme })), shown])
  },
)

test('a theme that could not be saved stays, and the next page saves it', async () => {
  const { server, session, environment } = await createStoreFixture()
  const { storage } = environment
  storage.setItem('theme', 'dark')
  session.setUser(userWith('system'))
  const open = () => {
    createThemeSync().start()
  }
  server.refuse(updatePreferencesEndpoint, 'INTERNAL', 'Please try again.')
  server.answer(updatePreferencesEndpoint, { user: userWith('dark') })
  open()
  await expect.poll(() => server.requests.length).toBe(1)
  expect([storage.getItem('theme'), storage.getItem('theme-agreed')]).toEqual(['dark', null])
  open()
  await expect.poll(() => storage.getItem('theme-agreed')).toBe('dark')
})

test('a later change in the settings is shown once', async () => {
  const { session, shown, saved } = await meet('system', 'system')
  session.setUser(userWith('dark'))
  session.setUser(userWith('dark'))
  expect([shown(), saved()]).toEqual(['dark', []])
})
