const POLL_MS = 50
/** Time to wait for the dialog's script. After that, the form opens as a page. */
const TIMEOUT_MS = 5000

/** Delays clicks that open a dialog until the dialog's script has loaded. */
export function earlyDialog() {
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-modal]') : null
    const island = document.querySelector<HTMLElement>('yard-island[name=modal]')
    if (!isPlain || !link || !island || isSettled(island)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const startedAt = performance.now()
    const waiting = setInterval(() => {
      const isLate = performance.now() - startedAt > TIMEOUT_MS
      if (!isLate && !isSettled(island)) return
      clearInterval(waiting)
      // Click the link again to open the dialog. If the dialog did not load, or the link is gone because its list was
      // replaced in the meantime, open the form as a page.
      if (link.isConnected && island.dataset.ready !== undefined) link.click()
      else location.assign(link.href)
    }, POLL_MS)
  })
}

const isSettled = ({ dataset }: HTMLElement) => dataset.ready !== undefined || dataset.failed !== undefined
