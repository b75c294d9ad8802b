import { useEffect, useRef, useState } from 'react'
import { forgetStep, onStep, stepHere, takeStep, takeStepBack } from './dialog-step'
import { draftElsewhere, isDirty, restoreDrafts, saveDrafts, unitOf } from './drafts'
import { fetchPage, firstField, leadsToField, pathOf } from './sheet'
import { showToast } from './toast'
import { uniqueIds } from './unique-ids'

export type ModalProps = Record<string, never>

const OPENER = 'yardmaster-opener'

/**
 * Dialog that shows the form behind a link with the attribute `data-modal`. The server renders the form, and the htmx
 * library submits it. If the server rejects the form, htmx replaces it with the form in the response.
 */
export function Modal() {
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const toasts = useRef<HTMLDivElement>(null)
  const [title, setTitle] = useState('')
  const typedIn = useRef<HTMLElement>(null)
  const [isAsking, setAsking] = useState(false)
  /** True if a form was saved while the dialog was open. The list behind the dialog is then outdated. */
  const isListOld = useRef(false)
  /**
   * True if the user closed the dialog with the Back button. The browser has then already left the dialog's history
   * entry.
   */
  const isLeftByStep = useRef(false)
  /** URL path of the first form in the dialog. After a save, the focus returns to the link with this path. */
  const opener = useRef('')

  const isDiscarded = useRef(false)

  const close = () => dialog.current?.close()
  const discard = () => {
    isDiscarded.current = true
    close()
  }
  /** Closes the dialog. Asks first if there is unsaved input, and does nothing while a form is being sent. */
  const leave = () => {
    const form = body.current?.querySelector<HTMLFormElement>('form[data-draft]')
    if (form?.dataset.sent !== undefined) return
    // Ask before closing content that is shown only once, such as a new password.
    if (body.current?.querySelector('.form-done')) return setAsking(true)
    if (!form || !isDirty(form)) return close()
    setAsking(true)
  }

  const stay = () => {
    setAsking(false)
    typedIn.current?.focus()
  }

  // Handle the Escape key instead of the `cancel` event of the dialog. Browsers do not let a page prevent two `cancel`
  // events in a row. Listen on the document, because a click beside the fields moves the focus out of the dialog.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !dialog.current?.open) return
      event.preventDefault()
      if (isAsking) stay()
      else leave()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

  useEffect(() => {
    const open = async (href: string, isAgain = false) => {
      const page = await fetchPage(href)
      if (page === 'away')
        return showToast('The server cannot be reached. Please try again in a moment.', { tone: 'danger' })
      const sheet = page?.getElementById('sheet')
      // Do not open the dialog again if its form can no longer be loaded, for example because the record was deleted.
      if (!sheet && isAgain) return forgetStep()
      // Do nothing if the user has pressed Back or Forward in the meantime.
      if (isAgain && stepHere() !== href) return
      if (!sheet || !dialog.current || !body.current) return location.assign(href)
      if (stepHere() === null) opener.current = new URL(href, location.href).pathname
      await takeStep(href)
      setTitle(sheet.dataset.title ?? '')
      sheet.querySelector('h1')?.remove()
      body.current.replaceChildren(...sheet.childNodes)
      const form = body.current.querySelector<HTMLFormElement>('form[data-draft]')
      body.current.dataset.unit = form ? unitOf(form) : ''
      uniqueIds(body.current)
      window.htmx.process(body.current)
      if (!dialog.current.open) dialog.current.showModal()
      const toastText = page?.querySelector('[data-toast]')?.firstChild?.textContent
      if (toastText) showToast(toastText)
      restoreDrafts(body.current)
      firstField(body.current)?.focus()
    }
    const onClick = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
      if (isPlain && leadsToField(event, body.current)) return
      const link =
        event.target instanceof Element
          ? event.target.closest<HTMLAnchorElement>('a[data-modal], dialog a[data-close-modal]')
          : null
      if (!link || !isPlain) return
      event.preventDefault()
      if (link.closest('.form-done') && link.dataset.modal === undefined) close()
      else if (link.dataset.modal === undefined) leave()
      else void open(link.href)
    }
    const forgetSteps = onStep((to, from) => {
      if (to !== null) return void open(to, true)
      // A page cannot prevent Back, so the dialog's history entry is already gone. If the form has unsaved input or is
      // being sent, add the entry again, because the dialog may stay open.
      const form = body.current?.querySelector<HTMLFormElement>('form[data-draft]')
      const isBusy = form?.dataset.sent !== undefined
      if (from !== null && form && (isBusy || isDirty(form))) void takeStep(from)
      const wasOpen = dialog.current?.open === true
      leave()
      isLeftByStep.current = wasOpen && !dialog.current?.open
    })
    // After a form was saved, go to the page that the response names. If the dialog is already open over this page,
    // reload the page without adding a history entry. Otherwise, Back would lead to the same page again.
    const onSaved = async (event: Event) => {
      const to = (event as CustomEvent).detail.ctx?.hx?.redirect
      if (!to || stepHere() === null) return
      event.preventDefault()
      // If the response leads to the same form again, keep the dialog open for the next record.
      if (pathOf(to) === pathOf(stepHere() as string)) {
        isListOld.current = true
        await open(to)
        // If the form for the next record did not load, close the dialog. The input is already saved.
        if (body.current?.querySelector('form[data-sent]')) close()
        return
      }
      await takeStepBack()
      if (new URL(to, location.href).href === location.href) location.replace(to)
      else location.assign(to)
    }
    // Runs when a rejected form or a result has replaced the form that was sent.
    const onSwap = () => {
      if (body.current) uniqueIds(body.current)
      const done = body.current?.querySelector<HTMLElement>('.form-done')
      if (done) isListOld.current = true
      // Focus the result, not its button. Otherwise, a second Enter would close it before it is read.
      done?.focus()
      // Earlier messages would contradict the new content.
      if (body.current?.querySelector('.form-done, [data-error-summary]')) toasts.current?.replaceChildren()
    }
    document.addEventListener('htmx:after:swap', onSwap)
    document.addEventListener('htmx:before:response', onSaved)
    document.addEventListener('click', onClick)
    // If the page was reloaded after a save, return the focus to the link that opened the dialog.
    const from = sessionStorage.getItem(OPENER)
    sessionStorage.removeItem(OPENER)
    if (from) document.querySelector<HTMLElement>(`a[data-modal][href^="${CSS.escape(from)}"]`)?.focus()
    const [step, draft] = [stepHere(), draftElsewhere()]
    if (step ?? draft) void open((step ?? draft) as string, step !== null)
    return () => {
      forgetSteps()
      document.removeEventListener('htmx:before:response', onSaved)
      document.removeEventListener('click', onClick)
      document.removeEventListener('htmx:after:swap', onSwap)
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby="modal-title"
      onFocus={({ target }) => {
        if (body.current?.contains(target)) typedIn.current = target
      }}
      onClose={() => {
        if (body.current && !isDiscarded.current) saveDrafts(body.current, 'left')
        isDiscarded.current = false
        setAsking(false)
        body.current?.replaceChildren()
        toasts.current?.replaceChildren()
        // If the user closed the dialog with Back, the browser has already left the dialog's history entry. Do not go
        // back again, even if the user has returned to that entry with Forward.
        const isLeft = isLeftByStep.current
        isLeftByStep.current = false
        void (isLeft ? Promise.resolve() : takeStepBack()).then(() => {
          if (!isListOld.current) return
          sessionStorage.setItem(OPENER, opener.current)
          location.reload()
        })
      }}
    >
      <div className="modal-head">
        <h2 id="modal-title">{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={leave}>
          ×
        </button>
      </div>
      {isAsking && (
        <div className="modal-question" role="alertdialog" aria-label="Not saved yet">
          <p>
            {body.current?.querySelector('.form-done') ? (
              <>
                <strong>Close?</strong> It is shown only once. Copy it before you close.
              </>
            ) : (
              <>
                <strong>Close without saving?</strong> Your input is restored when you open this form again, unless you
                discard it.
              </>
            )}
          </p>
          <button type="button" className="button button-primary" autoFocus onClick={stay}>
            {body.current?.querySelector('.form-done') ? 'Keep open' : 'Keep editing'}
          </button>
          <button type="button" className="button" onClick={close}>
            Close
          </button>
          {!body.current?.querySelector('.form-done') && (
            <button type="button" className="button" onClick={discard}>
              Discard
            </button>
          )}
        </div>
      )}
      <div className="modal-toasts" ref={toasts} data-toasts="" role="status" />
      <div className="modal-body" ref={body} />
    </dialog>
  )
}
