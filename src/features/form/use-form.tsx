import { useStore } from '@nanostores/react'
import type { FocusEvent, SyntheticEvent } from 'react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { environment, takeStored } from '../../lib/environment.ts'
import type { Form } from './form.ts'
import { Notice } from '../../ui/Notice.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'

export type Values = Record<string, string | boolean>

/** What was typed on a page before "Try Again" (Session.astro). */
interface Kept {
  path: string
  values: Values
}

/** A form store as the props of its controls; puts the focus on the first wrong field. */
export function useForm<V extends Values>(form: Form<V>) {
  const state = useStore(form.$form, { ssr: 'initial' })
  const element = useRef<HTMLFormElement>(null)
  const prefix = useId()

  const isHydrated = useHydrated()
  const [prebuilt] = useState(findPrebuilt)

  // Before somebody can type into the new fields.
  useLayoutEffect(() => {
    const kept = takeStored<Kept>(environment.tabStorage, 'typed')
    if (kept?.path === location.pathname) form.fillIn(kept.values)
    form.fillIn(valuesOf(prebuilt.controls))
    form.fillIn(valuesOf(element.current?.elements ?? []))
    void form.restore()
    const { focused } = prebuilt
    if (focused?.isConnected === false && document.activeElement === document.body)
      focusOn(element.current, focused.name)
  }, [form, prebuilt])

  useEffect(() => {
    if (state.focus !== null) focusOn(element.current, state.focus.field)
  }, [state.focus])

  return {
    state,
    bind: <Name extends keyof V & string>(name: Name) => ({
      id: `${prefix}-${name}`,
      name,
      value: state.values[name],
      error: state.errors[name],
      onValue: (value: V[Name]) => form.setValue(name, value),
      onLeave: ({ relatedTarget }: FocusEvent) => {
        // Only when another control takes the focus: a new message would move a button that the user is pressing.
        if (isControl(relatedTarget)) form.leaveField(name)
      },
    }),
    /** The button that submits. */
    submitProps: { type: 'submit', look: 'primary', isBusy: state.isSubmitting } as const,
    formProps: {
      ref: element,
      'data-prebuilt': isHydrated ? undefined : '',
      noValidate: true,
      method: 'post',
      onSubmit: (event: SyntheticEvent) => {
        event.preventDefault()
        void form.submit()
      },
    },
  }
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * The fields of the prebuilt HTML; none while the page is built. React writes them anew where a translator or an extension
 * has changed that HTML. The old ones still hold what was typed or filled in until then.
 */
function findPrebuilt() {
  const prebuilt: { controls: Control[]; focused?: Control } = { controls: [] }
  if (typeof document === 'undefined') return prebuilt
  for (const control of document.querySelectorAll('[data-prebuilt] [name]')) {
    if (!isControl(control)) continue
    prebuilt.controls.push(control)
    const keep = () => (prebuilt.focused = control)
    if (control === document.activeElement) keep()
    control.addEventListener('focus', keep)
  }
  return prebuilt
}

function focusOn(form: HTMLFormElement | null, name: string) {
  const control = form?.elements.namedItem(name)
  if (control instanceof HTMLElement) takeFocus(control)
}

/** The values of controls by their names. */
function valuesOf(elements: Iterable<Element>): Record<string, string | boolean> {
  const controls = [...elements].filter(isControl)
  return Object.fromEntries(controls.map((control) => [control.name, valueOf(control)]))
}

function valueOf(control: Control): string | boolean {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
    ? control.checked
    : control.value
}

function isControl(target: EventTarget | null): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}

/** The error of a form as a whole. It takes the focus, because it may be out of view and the button it came from disabled. */
export function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <Notice tone="error" takesFocus>
      {text}
    </Notice>
  )
}
