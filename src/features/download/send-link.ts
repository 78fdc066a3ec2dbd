import { sentenceOf } from '../../api/failure-text.ts'
import { environment } from '../../lib/environment.ts'
import { session, TOKEN_KEY } from '../session/session.ts'

const COPIED = 'Copied. Send it to yourself, and open it on your computer.'

/**
 * Fills `place` with the ways to send the link of the downloads to a computer: the phone's own menu, a copy, and a mail to the
 * account of a signed-in user. Without React, because /download has none.
 */
export function offerLink(place: HTMLElement, browser: Navigator): void {
  const url = `${location.origin}/download`
  const said = Object.assign(document.createElement('p'), { role: 'status' })
  const ways: [string, () => Promise<string>][] = [
    ['Copy the link', () => browser.clipboard.writeText(url).then(() => COPIED)],
  ]
  if ('share' in browser) {
    ways.unshift([
      'Share the link',
      () =>
        browser.share({ title: document.title, url }).then(
          () => '',
          // The visitor closed the menu.
          () => '',
        ),
    ])
  }
  if (environment.storage.getItem(TOKEN_KEY) !== null) ways.push(['Email it to me', mail])
  const row = Object.assign(document.createElement('div'), { className: 'row' })
  row.append(
    ...ways.map(([label, send]) => {
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        className: 'button button-secondary',
        textContent: label,
      })
      button.addEventListener('click', () => {
        if (button.ariaDisabled === 'true') return
        // A disabled button would lose the focus.
        button.ariaDisabled = 'true'
        void send()
          .catch(() => `Your browser does not allow it. The link is ${url}`)
          .then((text) => {
            said.textContent = text
            button.ariaDisabled = null
          })
      })
      return button
    }),
  )
  place.replaceChildren(row, said)
  row.querySelector('button')?.focus()
}

async function mail(): Promise<string> {
  const result = await session.call('POST /api/app/mail-download', {})
  return result.ok ? (result.data.message ?? '') : sentenceOf(result)
}
