import { atom } from 'nanostores'
import { UserCode } from '../../contract/device.ts'
import { z } from '../../contract/zod.ts'
import { environment } from '../../lib/environment.ts'
import { createForm } from '../form/form.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { session } from '../session/session.ts'

export type DeviceState =
  | { step: 'typing' }
  | { step: 'asking'; code: string; clientName: string; isSending: boolean; problem: string | null }
  | { step: 'approved'; clientName: string; isAgain: boolean }
  | { step: 'refused'; clientName: string }

/** A user code in two groups: `BCDF-GHJK`. */
export function groupCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** /device: enter the code that the desktop app shows, see which app asks, approve or refuse it. */
export function createDeviceConfirmation() {
  const $device = atom<DeviceState>({ step: 'typing' })
  const form = createForm({
    schema: z.object({ userCode: UserCode }),
    initial: { userCode: '' },
    send: (params) => session.call('GET /api/device/requests/{userCode}', { params }),
    onSuccess: ({ request: { clientName, isConnected } }, { userCode }) =>
      $device.set(
        isConnected
          ? { step: 'approved', clientName, isAgain: true }
          : { step: 'asking', code: userCode, clientName, isSending: false, problem: null },
      ),
  })

  async function answer(approve: boolean) {
    const state = $device.get()
    if (state.step !== 'asking' || state.isSending) return
    $device.set({ ...state, isSending: true, problem: null })
    const body = { userCode: state.code, approve }
    const result = await session.call('POST /api/device/confirm', { body })
    if (!result.ok) {
      $device.set({ ...state, isSending: false, problem: sentenceOf(result) })
      return
    }
    // A code works once, so a reload must not look it up again.
    environment.replaceSearch('')
    const { clientName } = state
    $device.set(
      approve ? { step: 'approved', clientName, isAgain: false } : { step: 'refused', clientName },
    )
  }

  return {
    form,
    $device,
    answer,
    /** Reads the code from the app's link and looks up which app asks. The user still has to approve it. */
    prefill: async () => {
      const query = new URLSearchParams(environment.here().search)
      const code = query.get('code') ?? query.get('user_code')
      if (code === null) return
      form.setValue('userCode', code.slice(0, 20))
      await form.submit()
    },
    restart: () => {
      form.reset()
      form.focus('userCode')
      $device.set({ step: 'typing' })
    },
  }
}
