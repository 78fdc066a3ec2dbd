import { useState } from 'react'
import { DESK } from '../../contract/desk.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import type { Send } from '../resource/resource.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import { toasts } from '../toasts/toasts.ts'

/** Sends one call at a time. `problem` says why the last one was refused. */
export function useSend() {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  /** The answer; null when the server refused, or while another call is under way. */
  async function send<Data>(call: Send<Data>): Promise<Data | null> {
    if (isBusy) return null
    setIsBusy(true)
    setProblem(null)
    const result = await call()
    setIsBusy(false)
    if (result.ok) return result.data
    setProblem(result.errors[0]?.msg ?? sentenceOf(result))
    return null
  }

  return { problem, setProblem, isBusy, send }
}

interface Done {
  message?: string | undefined
}

/**
 * Shows what `wanted` would change, then changes it. `sending` sends a preview when it gets null; otherwise it carries out
 * what that preview showed, whatever was typed since. After a refusal the operator starts from the preview again.
 */
export function usePreview<Wanted, Data extends Done>(
  wanted: Wanted,
  sending: (wanted: Wanted, shown: Data | null) => Send<Data>,
  onDone: (data: Data) => unknown,
) {
  const { send, ...state } = useSend()
  const [shown, setShown] = useState<{ wanted: Wanted; data: Data } | null>(null)

  async function submit() {
    if (state.isBusy) return
    const data = await send(sending(shown?.wanted ?? wanted, shown?.data ?? null))
    setShown(shown === null && data !== null ? { wanted, data } : null)
    if (shown === null || data === null) return
    sayDone(data)
    await onDone(data)
  }

  return { ...state, shown, submit, back: () => setShown(null) }
}

/** What an act changes, a sentence each. It takes the focus, so that a second Enter carries out nothing unread. */
export function Changes({ changes }: { changes: readonly string[] }) {
  return (
    <ul className="desk-changes" tabIndex={-1} ref={takeFocus}>
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  )
}

/** Shows the server's message that something was done. */
export function sayDone({ message }: Done) {
  toasts.success(message ?? DESK.done)
}
