import { useStore } from '@nanostores/react'
import type { FocusEvent, SyntheticEvent } from 'react'
import { useEffect, useId, useRef } from 'react'
import type { Form } from '../../stores/form.ts'

declare global {
  interface Window {
    /** What was typed into a control before its island lived (site/layouts/account/early.ts). */
    typedEarly?: WeakMap<EventTarget, string>
  }
}

type Values = Record<string, string | boolean>

/** A form store as the props of its controls; puts the focus on the first wrong field. */
export function useForm<V extends Values>(
  form: Omit<Form<V>, 'submit'> & { submit: () => Promise<unknown> },
  submit: () => Promise<unknown> = form.submit,
) {
  const state = useStore(form.$form, { ssr: 'initial' })
  const element = useRef<HTMLFormElement>(null)
  const prefix = useId()

  useEffect(() => {
    if (element.current !== null) takeOver(element.current, form, submit)
    // Once: from here on the form store knows all that is typed.
  }, [])

  useEffect(() => {
    if (state.focus === null) return
    const control = element.current?.elements.namedItem(state.focus.field)
    if (control instanceof HTMLElement) control.focus()
  }, [state.focus])

  return {
    state,
    bind: <Name extends keyof V & string>(name: Name) => ({
      id: `${prefix}-${name}`,
      name,
      value: state.values[name],
      error: state.errors[name],
      onValue: (value: V[Name]) => {
        form.setValue(name, value)
      },
      onLeave: ({ relatedTarget }: FocusEvent) => {
        // Not on the way to a button: a message that appears would push it away from under the pointer.
        if (isControl(relatedTarget)) form.leaveField(name)
      },
    }),
    frame: {
      ref: element,
      noValidate: true,
      method: 'post',
      onSubmit: (event: SyntheticEvent) => {
        event.preventDefault()
        void submit()
      },
    },
  }
}

/**
 * The page was there before its script: what was typed or filled in meanwhile is taken over, and a form that
 * was sent too early (the head of the page holds it back) is sent now.
 */
function takeOver(
  element: HTMLFormElement,
  form: Pick<Form, 'adopt'>,
  submit: () => Promise<unknown>,
) {
  form.adopt((name) => valueOf(element.elements.namedItem(name)))
  element.dataset.live = ''
  if (element.dataset.wanted === undefined) return
  delete element.dataset.wanted
  void submit()
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}

function valueOf(control: Element | RadioNodeList | null): string | boolean | undefined {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked
  const isText =
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  return isText ? (window.typedEarly?.get(control) ?? control.value) : undefined
}
