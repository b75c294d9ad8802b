/**
 * Makes an open dialog an entry in the browser history. Back closes the dialog. Forward and a reload open it again.
 * Other state in the history entry, such as that of the list, stays.
 */

type Step = { dialog?: string } | null

/** URL of the form that the dialog shows at the current history entry, or null. */
export const stepHere = (): string | null => (history.state as Step)?.dialog ?? null

/** URL of the dialog's form before the user pressed Back or Forward, or null. */
let at: string | null = null
let movedAt = Number.NEGATIVE_INFINITY
let back: Promise<void> | null = null
let arrive = () => {}

/** Adds a history entry for a dialog. If a dialog is already open, replaces its entry. */
export async function takeStep(href: string): Promise<void> {
  // Wait for a pending `history.back()`. It would remove the new entry too.
  await back
  // The property `htmx` prevents the htmx library from overwriting this history entry when the server rejects the form.
  const state = { ...(history.state as Step), htmx: true, dialog: href }
  if (stepHere() === null) history.pushState(state, '')
  else history.replaceState(state, '')
  at = href
}

/** Time in milliseconds in which the browser and htmx react to Back or Forward. */
const FOLLOWS_WITHIN_MS = 300

/** Puts the focus back if it gets lost after Back or Forward, as happens on pages with the htmx library. */
function keepFocus() {
  const onDrop = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget === null && target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
  document.addEventListener('focusout', onDrop)
  setTimeout(() => document.removeEventListener('focusout', onDrop), FOLLOWS_WITHIN_MS)
}

/**
 * Removes the history entry of a dialog that was closed without Back. Otherwise, the next Back would seem to do
 * nothing.
 */
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

/** Removes the dialog from the history entry, because the form in the dialog no longer exists. */
export function forgetStep(): void {
  history.replaceState({ ...(history.state as Step), dialog: undefined }, '')
  at = null
}

/**
 * Calls `move` after Back or Forward, with the URLs of the current and the previous dialog. A URL is null if there is
 * no dialog.
 * @returns a function that removes the listeners
 */
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
  // Prevent htmx from loading the page again after Back or Forward. Only a dialog was opened or closed.
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
