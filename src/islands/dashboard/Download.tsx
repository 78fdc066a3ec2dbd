import { useEffect, useState } from 'react'
import { ButtonLink } from '../../ui/Button.tsx'

export interface Downloads {
  mac: string
  windows: string
}

type System = 'mac' | 'windows' | 'other'

/** The system named in a user agent. Phones and Linux have no desktop app. */
function systemOf(userAgent: string): System {
  if (/iPhone|iPad|Android/.test(userAgent)) return 'other'
  if (userAgent.includes('Windows')) return 'windows'
  return userAgent.includes('Mac') ? 'mac' : 'other'
}

/** The desktop app for the visitor's own system. */
export function Download({ downloads }: { downloads: Downloads }) {
  const [system, setSystem] = useState<System>('other')
  useEffect(() => {
    setSystem(systemOf(navigator.userAgent))
  }, [])
  return (
    <section className="card panel" aria-labelledby="download-title">
      <h2 id="download-title">The desktop app</h2>
      {system === 'mac' && <Link href={downloads.mac}>Download for macOS (10.15 or later)</Link>}
      {system === 'windows' && <Link href={downloads.windows}>Download for Windows (10/11)</Link>}
      {system === 'other' && <p>It runs on macOS (10.15 or later) and Windows (10/11).</p>}
      <p>
        <a href="/download">All downloads</a>
      </p>
    </section>
  )
}

function Link({ href, children }: { href: string; children: string | string[] }) {
  return (
    <ButtonLink href={href} target="_blank" rel="noopener">
      {children}
    </ButtonLink>
  )
}
