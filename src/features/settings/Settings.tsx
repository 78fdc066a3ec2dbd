import type { MouseEvent } from 'react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { SETTINGS_TABS, type SettingsTab, tabOf } from '../../lib/settings-tab.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { useUser } from '../session/use-user.ts'
import { Shape } from '../../ui/Loading.tsx'
import { ProfileTab } from './ProfileTab.tsx'

// The script of another tab than the first loads when the user opens the tab.
const SubscriptionTab = onDemand('this tab', () => import('./SubscriptionTab.tsx'), <Wait />)
const SecurityTab = onDemand('this tab', () => import('./SecurityTab.tsx'), <Wait />)
const PreferencesTab = onDemand('this tab', () => import('./PreferencesTab.tsx'), <Wait />)

const TAB_LABELS = {
  profile: 'Profile',
  subscription: 'Subscription',
  security: 'Security',
  preferences: 'Preferences',
} as const satisfies Record<SettingsTab, string>

interface Props {
  /** Whether prices include tax. */
  isTaxed: boolean
}

/**
 * Account settings in four tabs. Tabs are links, so that the back button works. The HTML of the page has the heading, the
 * tabs and the shape of what comes; none is marked before the user is known.
 */
export default function Settings({ isTaxed }: Props) {
  const user = useUser()
  const [tab, setTab] = useState<SettingsTab>('profile')
  useLayoutEffect(() => {
    const follow = () => setTab(tabOf(location))
    follow()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  useEffect(() => {
    document.title = document.title.replace(/^[^·]*/, `${TAB_LABELS[tab]} `)
  }, [tab])

  const handleTab = (event: MouseEvent, next: SettingsTab) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (next !== tab) history.pushState(null, '', `?tab=${next}`)
    setTab(next)
  }

  return (
    <div className="settings">
      <div className="stack">
        <h1>Account settings</h1>
        <nav className="tabs" aria-label="Settings">
          {SETTINGS_TABS.map((name) => (
            <a
              key={name}
              href={`?tab=${name}`}
              aria-current={user !== null && name === tab ? 'page' : undefined}
              onClick={(event) => handleTab(event, name)}
            >
              {TAB_LABELS[name]}
            </a>
          ))}
        </nav>
      </div>
      <div className="stack">
        {user === null ? (
          <Wait />
        ) : (
          <>
            {tab === 'profile' && <ProfileTab user={user} />}
            {tab === 'subscription' && <SubscriptionTab user={user} isTaxed={isTaxed} />}
            {tab === 'security' && <SecurityTab />}
            {tab === 'preferences' && <PreferencesTab preferences={user.preferences} />}
          </>
        )}
      </div>
    </div>
  )
}

/** The shape of a tab, until the user is known and the tab's script is there. */
function Wait() {
  return (
    <section className="card panel">
      <Shape />
    </section>
  )
}
