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
