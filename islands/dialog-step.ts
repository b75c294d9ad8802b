/**
 * An open dialog is a step of the browser's history: Back closes it, Forward and a reload open it again. What the list
 * behind it keeps in the history stays as it is.
 */

type Step = { dialog?: string } | null

/** The address of the form whose dialog belongs to where the history stands; null when none does. */
export const stepHere = (): string | null => (history.state as Step)?.dialog ?? null

/** Where it stood before it moves. */
let at: string | null = null
/** When it last did. */
let movedAt = Number.NEGATIVE_INFINITY
let back: Promise<void> | null = null
let arrive = () => {}

/** Stands at the step of a dialog: a new one, or that of the dialog whose place it takes. */
export async function takeStep(href: string): Promise<void> {
  // One that is still being taken back would take this one along.
  await back
  // Marked as htmx marks its own, for it writes over any other when a form comes back refused.
  const state = { ...(history.state as Step), htmx: true, dialog: href }
  if (stepHere() === null) history.pushState(state, '')
  else history.replaceState(state, '')
  at = href
}

/** What a browser and htmx do about a move comes within this time. */
const FOLLOWS_WITHIN_MS = 300

/** A page that htmx listens to loses the focus a moment after the history has moved. */
function keepFocus() {
  const onDrop = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget === null && target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
  document.addEventListener('focusout', onDrop)
  setTimeout(() => document.removeEventListener('focusout', onDrop), FOLLOWS_WITHIN_MS)
}

/** Closed by whatever else: the step goes too, so that Back leads out of the page again. */
export function takeStepBack(): Promise<void> {
  if (stepHere() === null || back) return back ?? Promise.resolve()
  back = new Promise((resolve) => {
    arrive = () => {
      back = null
      keepFocus()
      resolve()
    }
  })
  history.back()
  return back
}

/** What the step led to is not there any more. */
export function forgetStep(): void {
  history.replaceState({ ...(history.state as Step), dialog: undefined }, '')
  at = null
}

/** Calls `move` with the dialogs that a step of the history leads to and from; null for the list alone. */
export function onStep(move: (to: string | null, from: string | null) => void): () => void {
  at = stepHere()
  const onPop = () => {
    const before = at
    at = stepHere()
    if (before === null && at === null) return
    movedAt = performance.now()
    if (back) arrive()
    else move(at, before)
  }
  // htmx asks for a page anew whenever the history moves within it; it says so a moment after.
  const onRestore = (event: Event) => {
    if (performance.now() - movedAt < FOLLOWS_WITHIN_MS) event.preventDefault()
  }
  document.addEventListener('htmx:before:history:restore', onRestore)
  window.addEventListener('popstate', onPop)
  return () => {
    document.removeEventListener('htmx:before:history:restore', onRestore)
    window.removeEventListener('popstate', onPop)
  }
}
