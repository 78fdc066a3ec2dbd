export const SETTINGS_TABS = ['profile', 'subscription', 'security', 'preferences'] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]

/** The tab of the account settings that an address names: `?tab=security` or `#security`; else the first one. */
export function tabOf({ search, hash }: Pick<Location, 'search' | 'hash'>): SettingsTab {
  const wanted = new URLSearchParams(search).get('tab') ?? hash.slice(1)
  return SETTINGS_TABS.find((tab) => tab === wanted) ?? 'profile'
}
