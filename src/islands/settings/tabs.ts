export const TABS = ['profile', 'subscription', 'security', 'preferences'] as const
export type Tab = (typeof TABS)[number]

export const TAB_LABELS = {
  profile: 'Profile',
  subscription: 'Subscription',
  security: 'Security',
  preferences: 'Preferences',
} as const satisfies Record<Tab, string>

/** The tab of `?tab=`; without one the page's own: /profile opens Profile, /settings Preferences. */
export function tabOf(search: string, fallback: Tab): Tab {
  const wanted = new URLSearchParams(search).get('tab')
  return TABS.find((tab) => tab === wanted) ?? fallback
}
