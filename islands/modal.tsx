import { useEffect, useRef, useState } from 'react'
import { goToLogin } from './call'
import { draftElsewhere, restoreDrafts } from './drafts'

export type ModalProps = Record<string, never>

/**
 * Shows a form page in a dialog: any link marked `data-modal` opens here instead of as a page of its own. The form
 * inside stays the server's; htmx posts it and puts a refused one back in its place.
 */
export function Modal() {
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [title, setTitle] = useState('')

  useEffect(() => {
    const close = () => dialog.current?.close()
    const open = async (href: string) => {
      const sheet = await fetchSheet(href)
      if (!sheet || !dialog.current || !body.current) return location.assign(href)
      setTitle(sheet.dataset.title ?? '')
      sheet.querySelector('h1')?.remove()
      body.current.replaceChildren(...sheet.childNodes)
      window.htmx.process(body.current)
      restoreDrafts(body.current)
      dialog.current.showModal()
      firstField(body.current)?.focus()
    }
    const onClick = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-modal], dialog a[data-close-modal]') : null
      if (!link || !isPlain) return
      event.preventDefault()
      if (link.dataset.modal === undefined) close()
      else void open(link.href)
    }
    document.addEventListener('click', onClick)
    const draft = draftElsewhere()
    if (draft) void open(draft)
    return () => document.removeEventListener('click', onClick)
  }, [])

  return (
    <dialog ref={dialog} className="modal" aria-labelledby="modal-title" onClose={() => body.current?.replaceChildren()}>
      <div className="modal-head">
        <h2 id="modal-title">{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </div>
      <div className="modal-body" ref={body} />
    </dialog>
  )
}

async function fetchSheet(href: string): Promise<HTMLElement | null> {
  try {
    const response = await fetch(href, { headers: { 'hx-request': 'true', 'hx-current-url': location.href } })
    if (response.status === 401) goToLogin()
    if (!response.ok) return null
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return page.getElementById('sheet')
  } catch {
    return null
  }
}

const firstField = (within: Element) => within.querySelector<HTMLElement>('input:not([type=hidden]):not([readonly]), select, textarea, button')
