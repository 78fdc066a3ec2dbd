export type System = 'mac' | 'windows'

/** The system named in a user agent; null for phones and Linux, which have no desktop app. */
export function ownSystem(userAgent: string): System | null {
  if (/Android|iPhone|iPad|Mobile/.test(userAgent)) return null
  if (userAgent.includes('Windows')) return 'windows'
  return userAgent.includes('Mac') ? 'mac' : null
}
