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

interface ProfileDeps extends StoreDeps {
  user: User
  onSaved: () => void
}

/** The form of the profile, filled in with what is stored. */
export function createProfileForm({ session, toasts, user, onSaved }: ProfileDeps) {
  const form = createForm({
    schema: ProfileInput,
    initial: valuesOf({ ...user.profile, ...user }),
    send: (body) => session.call(updateProfileEndpoint, { body }),
    onSuccess: ({ user }) => {
      session.setUser(user)
      toasts.success(AUTH.profileSaved)
      onSaved()
    },
  })
  form.focus('firstName')
  return form
}
