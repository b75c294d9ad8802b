/**
 * Makes an open dialog an entry of the browser history. Back closes the dialog. Forward and a reload open it again.
 * Other state in the history entry, such as the list's state, is preserved.
 */

type Step = { dialog?: string } | null

/** URL of the dialog's form at the current history entry, or null. */
export const stepHere = (): string | null => (history.state as Step)?.dialog ?? null

/** The result of `stepHere()` before the current history move. */
let at: string | null = null
let movedAt = Number.NEGATIVE_INFINITY
let back: Promise<void> | null = null
let arrive = () => {}

/** Adds a history entry for a dialog, or replaces the history entry of an open dialog. */
export async function takeStep(href: string): Promise<void> {
  // Wait, because a pending `history.back()` would remove the new entry too.
  await back
  // The `htmx` marker prevents htmx from overwriting the history entry when the server returns a refused form.
  const state = { ...(history.state as Step), htmx: true, dialog: href }
  if (stepHere() === null) history.pushState(state, '')
  else history.replaceState(state, '')
  at = href
}

/** Time within which the browser and htmx react to Back or Forward. */
const FOLLOWS_WITHIN_MS = 300

/** Restores the focus, which is lost after a history move on pages with htmx. */
function keepFocus() {
  const onDrop = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget === null && target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
  document.addEventListener('focusout', onDrop)
  setTimeout(() => document.removeEventListener('focusout', onDrop), FOLLOWS_WITHIN_MS)
}

/**
 * Removes the history entry of a dialog that was not closed with Back. Otherwise, the next Back would stay on this
 * page.
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

/** Removes the dialog from the history entry, because the dialog's form no longer exists. */
export function forgetStep(): void {
  history.replaceState({ ...(history.state as Step), dialog: undefined }, '')
  at = null
}

/**
 * Calls `move` after a history move, with the URLs of the current and the previous dialog. A URL is null if there is no
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
  // htmx refetches the page shortly after a history move within the page. Prevent this, because only a dialog was
  // opened or closed.
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
