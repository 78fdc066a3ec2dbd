import { atom } from 'nanostores'
import type { User } from '../contract/account.ts'
import { ProfileInput, updateProfileEndpoint } from '../contract/account.ts'
import { AUTH } from '../contract/messages.ts'
import { createForm } from './form.ts'
import type { StoreDeps } from './session.ts'

/** The profile tab: read-only, then edit mode, then save or cancel. */
export function createProfile({ session, toasts }: StoreDeps) {
  const $isEditing = atom(false)
  const form = createForm({
    schema: ProfileInput,
    initial: { firstName: '', lastName: '', bio: '', phone: '' },
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
      form.reset({
        firstName: user.firstName ?? '',
        lastName: user.lastName ?? '',
        bio: user.profile.bio ?? '',
        phone: user.phone ?? '',
      })
      $isEditing.set(true)
    },
    cancel: () => {
      $isEditing.set(false)
    },
  }
}
