export type System = 'mac' | 'windows'

/**
 * The system named in a user agent; null for phones, tablets and Linux, which have no desktop app. An iPad calls itself a Mac,
 * but a Mac has no touch points (`navigator.maxTouchPoints`).
 */
export function ownSystem(userAgent: string, touchPoints: number): System | null {
  if (/Android|iPhone|iPad|Mobile/.test(userAgent)) return null
  if (userAgent.includes('Windows')) return 'windows'
  return userAgent.includes('Mac') && touchPoints < 2 ? 'mac' : null
}
