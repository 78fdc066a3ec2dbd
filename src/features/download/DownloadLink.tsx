import { useEffect, useRef, useState } from 'react'
import { ownSystem, type System } from '../../lib/own-system.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import type { offerLink } from './send-link.ts'

/** Where the desktop app for each system is. */
export type Downloads = Record<System, string>

const LABEL = { mac: 'Download for macOS', windows: 'Download for Windows' } as const

interface Props {
  downloads: Downloads
  look?: 'primary' | 'secondary'
  size?: 'small'
}

/** The desktop app for the visitor's own system; on a phone the link for a computer first, and elsewhere all downloads. */
export function DownloadLink({ downloads, ...style }: Props) {
  const [system, setSystem] = useState<System | 'phone' | null>(null)
  useEffect(() => {
    const isPhone = matchMedia('(hover: none)').matches
    setSystem(
      ownSystem(navigator.userAgent, navigator.maxTouchPoints) ?? (isPhone ? 'phone' : null),
    )
  }, [])
  if (system === null || system === 'phone') {
    return (
      <>
        {system === 'phone' && <SendLink {...style} />}
        <ButtonLink {...(system === null && style)} href="/download">
          See the downloads
        </ButtonLink>
      </>
    )
  }
  return (
    <ButtonLink {...style} href={downloads[system]} target="_blank" rel="noopener">
      {LABEL[system]}
    </ButtonLink>
  )
}

/** Its script loads when pressed. */
function SendLink(style: Pick<Props, 'look' | 'size'>) {
  const place = useRef<HTMLDivElement>(null)
  const [offer, setOffer] = useState<typeof offerLink | null>(null)
  useEffect(() => {
    if (offer !== null && place.current !== null) offer(place.current, navigator)
  }, [offer])
  const handleClick = async () => {
    const part = await import('./send-link.ts').catch(() => null)
    if (part !== null) setOffer(() => part.offerLink)
  }
  return offer === null ? (
    <Button {...style} onClick={() => void handleClick()}>
      Send the link to my computer
    </Button>
  ) : (
    <div className="stack" ref={place} />
  )
}
