/**
 * Gives an open dialog its own entry in the browser history.
 * Back closes the dialog. Forward and a reload open it again. Other data in the history entry, such as the state of the
 * list, is preserved.
 */

type Step = { dialog?: string } | null

/** URL of the dialog's form in the current history entry, or null. */
export const stepHere = (): string | null => (history.state as Step)?.dialog ?? null

/**
 * URL of the form in the current dialog, or null.
 * In a `popstate` event, this is still the dialog of the previous history entry. The event contains only the new entry.
 */
let at: string | null = null
let movedAt = Number.NEGATIVE_INFINITY
let back: Promise<void> | null = null
let arrive = () => {}

/** Adds a history entry for a dialog. If a dialog is already open, replaces its entry. */
export async function takeStep(href: string): Promise<void> {
  // Wait until a pending `history.back()` has finished. Otherwise, it would go back from the new history entry.
  await back
  // The property `htmx` prevents the htmx library from overwriting this history entry when the server rejects the form.
  const state = { ...(history.state as Step), htmx: true, dialog: href }
  if (stepHere() === null) history.pushState(state, '')
  else history.replaceState(state, '')
  at = href
}

/** Time after Back or Forward in which htmx reloads are prevented. */
const FOLLOWS_WITHIN_MS = 300

/**
 * Removes the history entry of a dialog closed without Back.
 * Otherwise, the next press of Back would seem to do nothing.
 */
export function takeStepBack(): Promise<void> {
  if (stepHere() === null || back) return back ?? Promise.resolve()
  back = new Promise((resolve) => {
    arrive = () => {
      back = null
      resolve()
    }
  })
  history.back()
  return back
}

/** Removes the dialog from the history entry. Used if the form in the dialog no longer exists. */
export function forgetStep(): void {
  history.replaceState({ ...(history.state as Step), dialog: undefined }, '')
  at = null
}

/**
 * Calls `move` after Back or Forward, with the dialog URLs.
 * `to` is the URL of the current dialog, and `from` is that of the previous dialog. A URL is null if there is no
 * dialog.
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
  // Prevent htmx from loading the page again after Back or Forward, because only a dialog was opened or closed.
  const onRestore = (event: Event) => {
    if (performance.now() - movedAt < FOLLOWS_WITHIN_MS) event.preventDefault()
  }
  // Keep the focus when Back or Forward leaves a dialog. Because htmx intercepts this navigation, the browser would
  // otherwise reset the focus.
  const onNavigate = (event: NavigateEvent) => {
    if (event.navigationType === 'traverse' && event.canIntercept && at !== null)
      event.intercept({ focusReset: 'manual' })
  }
  document.addEventListener('htmx:before:history:restore', onRestore)
  window.addEventListener('popstate', onPop)
  // Browsers without `navigation` need no listener, because htmx does not intercept Back and Forward there.
  window.navigation?.addEventListener('navigate', onNavigate)
  return () => {
    window.navigation?.removeEventListener('navigate', onNavigate)
    document.removeEventListener('htmx:before:history:restore', onRestore)
    window.removeEventListener('popstate', onPop)
  }
}
