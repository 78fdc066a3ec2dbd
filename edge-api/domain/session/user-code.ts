/** No vowels, so that no word is spelt; nothing that looks like a digit. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Eight letters, 34 bits: shown by the app, typed by a person within ten minutes (RFC 8628 §6.1). */
export function newUserCode(randomBytes: (count: number) => Uint8Array): string {
  let code = ''
  while (code.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      // 240 is the largest multiple of 20 below 256: above it some letters would come more often.
      if (byte < 240 && code.length < LENGTH) code += LETTERS.charAt(byte % LETTERS.length)
    }
  }
  return code
}

/** As people read it: BCDF-GHJK. */
export function showUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
