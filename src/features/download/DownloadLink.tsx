import { useEffect, useState } from 'react'
import { ownSystem, type System } from '../../lib/own-system.ts'
import { ButtonLink } from '../../ui/Button.tsx'

/** Where the desktop app for each system is. */
export type Downloads = Record<System, string>

const LABEL = { mac: 'Download for macOS', windows: 'Download for Windows' } as const

interface Props {
  downloads: Downloads
  look?: 'primary' | 'secondary'
  size?: 'small'
}

/** The desktop app for the visitor's own system; on other systems a link to all downloads. */
export function DownloadLink({ downloads, ...style }: Props) {
  const [system, setSystem] = useState<System | null>(null)
  useEffect(() => setSystem(ownSystem(navigator.userAgent, navigator.maxTouchPoints)), [])
  if (system === null) {
    return (
      <ButtonLink {...style} href="/download">
        See the downloads
      </ButtonLink>
    )
  }
  return (
    <ButtonLink {...style} href={downloads[system]} target="_blank" rel="noopener">
      {LABEL[system]}
    </ButtonLink>
  )
}
