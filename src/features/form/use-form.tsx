import { useStore } from '@nanostores/react'
import type { FocusEvent, SyntheticEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { parseJson } from '../../api/call-endpoint.ts'
import { environment } from '../../lib/environment.ts'
import type { Form } from './form.ts'
import { Notice } from '../../ui/Notice.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'

export type Values = Record<string, string | boolean>

/** A form store as the props of its controls; puts the focus on the first wrong field. */
export function useForm<V extends Values>(form: Form<V>) {
  const state = useStore(form.$form, { ssr: 'initial' })
  const element = useRef<HTMLFormElement>(null)
  const prefix = useId()

  const isHydrated = useHydrated()
  // React writes the fields anew where a translator or an extension has changed the prebuilt HTML.
  const [typed] = useState(typedEarly)

  useEffect(() => {
    for (const values of typed) form.adopt(values)
    form.adopt(valuesOf(element.current?.elements ?? []))
    environment.tabStorage.removeItem('typed')
  }, [form, typed])

  useEffect(() => {
    if (state.focus === null) return
    const control = element.current?.elements.namedItem(state.focus.field)
    if (control instanceof HTMLElement) takeFocus(control)
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
    submit: { type: 'submit', look: 'primary', isBusy: state.isSubmitting } as const,
    frame: {
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

/** What was typed or filled in before React was there, or before "Try Again" (Session.astro); nothing while the page is built. */
function typedEarly(): Record<string, string | boolean>[] {
  if (typeof document === 'undefined') return []
  const before: Record<string, string> =
    parseJson(environment.tabStorage.getItem('typed') ?? '') ?? {}
  return [before, valuesOf(document.querySelectorAll('[data-prebuilt] [name]'))]
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
