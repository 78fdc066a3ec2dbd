/** The question or advice that is shown, and the answers that it takes. */
interface Step {
  text: string
  answers?: Readonly<Record<string, () => Step>>
}

const AGAIN = 'Test once more in the app that you meet in'

const SEEN: Step = {
  text: `Then others see it when you share from this browser, and you should expect the same elsewhere. ${AGAIN}.`,
}
const HIDDEN: Step = {
  text: `Then this browser leaves it out of what it shares. ${AGAIN}: it may take the picture in another way.`,
}
const LOOK: Step = {
  text: 'Do you see it in this picture too?',
  answers: { Yes: () => SEEN, No: () => HIDDEN },
}
/** Without the overlay on the screen, a picture without it would say nothing. */
const BEGIN: Step = {
  text: 'Is the answer of the app on your screen now?',
  answers: { 'Yes, it is': () => LOOK, 'Not yet': () => ASK },
}
const ASK: Step = {
  text: 'Open the app and ask it something, then come back.',
  answers: { 'It is on my screen now': () => LOOK },
}
const PART: Step = {
  text: 'You shared a window or a tab. What floats above it is in no such picture, whatever the app does. Stop, and share your whole screen.',
}
const BY_CALL: Step = {
  text: 'This browser cannot show you your screen. Start a meeting of your own, join it from a second device, share your whole screen from the first, and look.',
}

/**
 * Shows a shared screen in the page and asks what is in it. `stream` is undefined where the browser cannot share. Nothing
 * leaves the page, and nothing is kept.
 */
export function showTest(place: HTMLElement, stream: MediaStream | undefined): void {
  const first = place.firstElementChild
  const question = Object.assign(document.createElement('p'), { role: 'status' })
  const answers = Object.assign(document.createElement('p'), { className: 'row' })
  const show = ({ text, answers: given = {} }: Step) => {
    question.textContent = text
    const buttons = Object.entries(given).map(([label, next]) => button(label, () => show(next())))
    answers.replaceChildren(...buttons)
    buttons[0]?.focus()
  }
  const [track] = stream?.getVideoTracks() ?? []
  if (stream === undefined || track === undefined) {
    place.replaceChildren(question)
    show(BY_CALL)
    return
  }
  const video = Object.assign(document.createElement('video'), {
    autoplay: true,
    muted: true,
    playsInline: true,
    srcObject: stream,
    ariaLabel: 'Your shared screen, as others would get it',
  })
  const end = () => {
    for (const one of stream.getTracks()) one.stop()
    if (first !== null) place.replaceChildren(first)
    place.querySelector('button')?.focus()
  }
  track.addEventListener('ended', end)
  place.replaceChildren(video, question, answers, button('Stop sharing', end))
  const { displaySurface = 'monitor' } = track.getSettings()
  show(displaySurface === 'monitor' ? BEGIN : PART)
}

function button(label: string, press: () => void): HTMLButtonElement {
  const made = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'button button-secondary',
    textContent: label,
  })
  made.addEventListener('click', press)
  return made
}
