import { expect, test } from 'vitest'
import { authorizeDeviceEndpoint, UserCode } from './device.ts'

test('a user code is accepted in any case, with spaces or hyphens', () => {
  expect(UserCode.parse(' bcdf-ghjk ')).toBe('BCDFGHJK')
  expect(UserCode.parse('BCDF GHJK')).toBe('BCDFGHJK')
  expect(UserCode.parse('\u202aＢＣＤＦ－ｇｈｊｋ\u202c')).toBe('BCDFGHJK')
  expect(UserCode.safeParse('BCDF-GHJ').success).toBe(false)
  expect(UserCode.safeParse('AEIO-UAEI').success).toBe(false)
})

test('invisible characters are taken out of the name of a machine, those that its letters need stay, and without any other it is called a desktop app', () => {
  const named = (client_name: string) => authorizeDeviceEndpoint.body.parse({ client_name })
  expect(named('\ufeffAda\u200b’s Mac\u202c')).toEqual({ client_name: 'Ada’s Mac' })
  for (const client_name of ['👩\u200d💻', '❤\ufe0f', '邊\u{e0101}']) {
    expect(named(client_name)).toEqual({ client_name })
  }
  for (const nameless of ['', ' ', '\u200b', '\u2800', '\ud83d']) {
    expect(named(nameless)).toEqual({ client_name: 'Desktop app' })
  }
})

test('a long name of a machine is cut to 120 characters, and to none by half', () => {
  const cut = (client_name: string) => authorizeDeviceEndpoint.body.parse({ client_name })
  expect(cut(` ${'x'.repeat(121)}`)).toEqual({ client_name: 'x'.repeat(120) })
  expect(cut(`${'x'.repeat(119)}💻`)).toEqual({ client_name: 'x'.repeat(119) })
  expect(authorizeDeviceEndpoint.body.safeParse({ client_name: 'x\u0000' }).success).toBe(false)
})
