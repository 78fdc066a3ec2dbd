import { environment, readStored } from './environment.ts'

const STORAGE_KEY = 'unsent'

type Values = Readonly<Record<string, string | boolean>>
/** What was typed, by form. */
type Forms = Partial<Record<string, Values>>

/**
 * What somebody has typed into forms of this tab and not sent: a reload, or a session that ends meanwhile, must not lose it. `owner`
 * is the id of the account, or null of a guest. Computers are shared, so nobody else gets to see it: of a guest it lasts only while
 * pages are reloaded or gone back to, because whoever opens one anew may be another.
 */
interface Unsent {
  owner: string | null
  forms: Forms
}

const stored = () => readStored<Unsent>(environment.tabStorage, STORAGE_KEY)

/** What this account, or a guest, has typed and not sent. */
export function unsentOf(owner: string | null): Forms {
  const unsent = stored()
  return unsent?.owner === owner ? unsent.forms : {}
}

/** Keeps what was typed into a form, in place of what anybody else typed; nothing, once there is none. */
export function keepUnsent(owner: string | null, form: string, typed: Values): void {
  const isBlank = Object.keys(typed).length === 0
  const forms: Forms = { ...unsentOf(owner), [form]: isBlank ? undefined : typed }
  if (Object.values(forms).every((kept) => kept === undefined)) forgetUnsent()
  else environment.tabStorage.setItem(STORAGE_KEY, JSON.stringify({ owner, forms }))
}

/** For a form that was sent or cancelled. */
export function dropUnsent(form: string): void {
  const unsent = stored()
  if (unsent !== undefined) keepUnsent(unsent.owner, form, {})
}

/** Forgets what a guest has typed. */
export function forgetUnsentOfGuest(): void {
  if (stored()?.owner === null) forgetUnsent()
}

/** Forgets everything, or what anybody but this account has typed. */
export function forgetUnsent(exceptOf?: string): void {
  if (exceptOf === undefined || stored()?.owner !== exceptOf)
    environment.tabStorage.removeItem(STORAGE_KEY)
}
