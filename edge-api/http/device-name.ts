const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** "Firefox on Windows": enough to recognise one's own device, too little to track it. */
export function deviceName(userAgent: string): string {
  const app = /^(Sotto[\w ]{0,20})\/[\d.]{1,20}/.exec(userAgent)?.[1]
  const browser = app ?? nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser === null && system === null) return 'Unknown device'
  if (browser === null || system === null) return browser ?? system ?? ''
  return `${browser} on ${system}`
}

function nameIn(names: readonly (readonly [string, string])[], text: string): string | null {
  return names.find(([mark]) => text.includes(mark))?.[1] ?? null
}
