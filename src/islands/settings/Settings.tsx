import type { MouseEvent } from 'react'
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { loadPart } from '../../lib/load-part.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { useUser } from '../session/use-user.ts'
import { Shape } from '../../ui/Shape.tsx'

// A tab's script loads when the user first opens the tab.
const ProfileTab = lazy(() => loadPart(() => import('./ProfileTab.tsx')))
const SubscriptionTab = lazy(() => loadPart(() => import('./SubscriptionTab.tsx')))
const SecurityTab = lazy(() => loadPart(() => import('./SecurityTab.tsx')))
const DeskDoor = lazy(() => loadPart(() => import('./DeskDoor.tsx')))
const PreferencesTab = lazy(() => loadPart(() => import('./PreferencesTab.tsx')))

const TABS = ['profile', 'subscription', 'security', 'preferences'] as const
type Tab = (typeof TABS)[number]

const TAB_LABELS = {
  profile: 'Profile',
  subscription: 'Subscription',
  security: 'Security',
  preferences: 'Preferences',
} as const satisfies Record<Tab, string>

interface Props {
  firstTab: Tab
  /** Whether prices include tax. */
  isTaxed: boolean
}

/**
 * Account settings in four tabs. Tabs are links, so that the back button works. The HTML of the page has the heading, the
 * tabs and the shape of what comes; none is marked before the user is known.
 */
export default function Settings({ firstTab, isTaxed }: Props) {
  const user = useUser()
  const [tab, setTab] = useState(firstTab)
  useLayoutEffect(() => {
    const follow = () => {
      setTab(tabOf(location.search, firstTab))
    }
    follow()
    addEventListener('popstate', follow)
    return () => {
      removeEventListener('popstate', follow)
    }
  }, [firstTab])
  useEffect(() => {
    const product = document.title.split(' · ').at(-1)
    document.title = `${TAB_LABELS[tab]} · Account settings · ${product}`
  }, [tab])

  const handleTab = (event: MouseEvent, next: Tab) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (next !== tab) history.pushState(null, '', `?tab=${next}`)
    setTab(next)
  }

  return (
    <div className="stack">
      <h1>Account settings</h1>
      <nav className="tabs" aria-label="Settings">
        {TABS.map((name) => (
          <a
            key={name}
            href={`?tab=${name}`}
            aria-current={user !== null && name === tab ? 'page' : undefined}
            onClick={(event) => {
              handleTab(event, name)
            }}
          >
            {TAB_LABELS[name]}
          </a>
        ))}
      </nav>
      {user === null ? (
        <Wait />
      ) : (
        <ErrorBoundary key={tab} of="this tab">
          <Suspense fallback={<Wait />}>
            {tab === 'profile' && <ProfileTab user={user} />}
            {tab === 'subscription' && <SubscriptionTab user={user} isTaxed={isTaxed} />}
            {tab === 'security' && <SecurityTab />}
            {location.search === '?tab=desk' && <DeskDoor />}
            {tab === 'preferences' && <PreferencesTab preferences={user.preferences} />}
          </Suspense>
        </ErrorBoundary>
      )}
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

/** The tab in `?tab=`, or the page's first one: Profile on /profile, Preferences on /settings. */
function tabOf(search: string, fallback: Tab): Tab {
  const wanted = new URLSearchParams(search).get('tab')
  return TABS.find((tab) => tab === wanted) ?? fallback
}
