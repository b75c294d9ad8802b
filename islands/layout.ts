import { setCookie } from './cookie'

export function menus() {
  const closeAll = (except?: Node | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
      if (!except || !menu.contains(except)) menu.open = false
    }
  }
  document.addEventListener('click', (event) => closeAll(event.target as Node))
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeAll()
  })
}

/**
 * Search shortcuts: `/` for the list, and Ctrl+K for the header.
 * They are part of the boot script, so that they work as early as possible.
 */
export function hotkeys() {
  document.addEventListener('keydown', (event) => {
    const isCommand = event.ctrlKey || event.metaKey
    const isTyping = (event.target as Element).closest('input, select, textarea, dialog')
    const isSlash = event.key === '/' && !isTyping && !isCommand
    if (!isSlash && !(event.key === 'k' && isCommand)) return
    const ownSearch = isSlash && document.querySelector<HTMLInputElement>('[data-hotkey="/"]')
    const field = ownSearch || document.querySelector<HTMLInputElement>('[data-header-search] input')
    if (!field) return
    event.preventDefault()
    field.focus()
    field.select()
  })
}

const YEAR_SECONDS = 31_536_000

/** Stores the hidden parts of the sidebar in a cookie. The server hides the same parts on the next page. */
export function rememberSidebar() {
  const toggle = document.getElementById('sidebar-toggle') as HTMLInputElement | null
  const sections = document.querySelectorAll<HTMLDetailsElement>('details[data-section]')
  if (!toggle) return
  const save = () => {
    const closed = [...sections].filter((section) => !section.open).map((section) => section.dataset.section)
    const state = [...(toggle.checked ? ['hidden'] : []), ...closed].join('|')
    setCookie('yardmaster_sidebar', state, YEAR_SECONDS)
  }
  toggle.addEventListener('change', save)
  for (const section of sections) section.addEventListener('toggle', save)
}
