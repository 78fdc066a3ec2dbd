const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Makes ids such as `pur_01k9…`: 10 characters of time, 16 of randomness (the layout of a ULID),
 * so that they sort by the time they were made.
 */
export function idMaker(now: () => number, randomBytes: (count: number) => Uint8Array) {
  return (prefix: string): string => {
    let time = now()
    let head = ''
    for (let place = 0; place < 10; place += 1) {
      head = DIGITS.charAt(time % 32) + head
      time = Math.floor(time / 32)
    }
    const tail = Array.from(randomBytes(16), (byte) => DIGITS.charAt(byte % 32)).join('')
    return `${prefix}_${head}${tail}`
  }
}
