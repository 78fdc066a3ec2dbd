import { expect, test } from 'vitest'
import { createStoreWorld } from './support/store-world.ts'
import { aUser } from './support/samples.ts'
import type { Preferences } from '../../src/contract/account.ts'
import { createThemeSync } from '../../src/stores/theme-sync.ts'

type Theme = Preferences['theme']

const userWith = (theme: Theme) => aUser({ preferences: { ...aUser().preferences, theme } })

/** A browser with the theme `here` and an account with the theme `account`. */
async function meet(here: Theme, account: Theme, agreed?: Theme) {
  const { session, environment } = await createStoreWorld()
  const { storage } = environment
  storage.setItem('theme', here)
  if (agreed !== undefined) storage.setItem('theme-agreed', agreed)
  const saved: Theme[] = []
  createThemeSync({
    session,
    storage,
    applyTheme: (theme) => {
      storage.setItem('theme', theme)
    },
    save: (theme) => {
      saved.push(theme)
      return Promise.resolve(userWith(theme))
    },
  }).start()
  session.setUser(userWith(account))
  return { saved, shown: storage.getItem('theme'), session, storage }
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
    expect([met.saved, met.shown]).toEqual([saved, shown])
  },
)

test('a theme that could not be saved stays, and the next page saves it', async () => {
  const { session, environment } = await createStoreWorld()
  const { storage } = environment
  storage.setItem('theme', 'dark')
  let tries = 0
  const open = () => {
    createThemeSync({
      session,
      storage,
      applyTheme: () => undefined,
      save: () => {
        tries += 1
        return Promise.resolve(null)
      },
    }).start()
  }
  session.setUser(userWith('system'))
  open()
  expect([tries, storage.getItem('theme')]).toEqual([1, 'dark'])
  open()
  expect(tries).toBe(2)
})

test('a later change in the settings is shown once', async () => {
  const { session, storage, saved } = await meet('system', 'system')
  session.setUser(userWith('dark'))
  session.setUser(userWith('dark'))
  expect([storage.getItem('theme'), saved]).toEqual(['dark', []])
})
