import { atom } from 'nanostores'
import type { User } from '../contract/account.ts'
import { ProfileInput, updateProfileEndpoint } from '../contract/account.ts'
import { AUTH } from '../contract/messages.ts'
import { z } from '../contract/zod.ts'
import { createForm } from './form.ts'
import type { StoreDeps } from './session.ts'

const Values = z.record(ProfileInput.keyof(), z.string())

/** The values of the form; what the user has not set is an empty text. */
function valuesOf(stored: Partial<Record<keyof z.infer<typeof ProfileInput>, string | null>>) {
  const fields = ProfileInput.keyof().options
  return Values.parse(Object.fromEntries(fields.map((field) => [field, stored[field] ?? ''])))
}

/** The profile tab: read-only, then edit mode, then save or cancel. */
export function createProfile({ session, toasts }: StoreDeps) {
  const $isEditing = atom(false)
  const form = createForm({
    schema: ProfileInput,
    initial: valuesOf({}),
    send: (body) => session.call(updateProfileEndpoint, { body }),
    onSuccess: ({ user }) => {
      session.setUser(user)
      toasts.success(AUTH.profileSaved)
      $isEditing.set(false)
    },
  })
  return {
    form,
    $isEditing,
    edit: (user: User) => {
      form.reset(valuesOf({ ...user.profile, ...user }))
      form.focus('firstName')
      $isEditing.set(true)
    },
    cancel: () => $isEditing.set(false),
  }
}
