import { call } from './call'
import { make } from './make'

type Hit = { label: string; url: string }

const QUIET_MS = 150

export function headerSearch() {
  const form = document.querySelector<HTMLFormElement>('[data-header-search]')
  const input = form?.querySelector('input')
  if (!form || !input) return
  const list = make('ul', { id: 'header-hits', className: 'header-hits', role: 'listbox', hidden: true })
  form.append(list)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')
  input.setAttribute('aria-autocomplete', 'list')

  let waiting: ReturnType<typeof setTimeout> | undefined
  let selectedIndex = -1
  let resultsQuery = ''
  const options = () => [...list.querySelectorAll('a')]
  const close = () => {
    list.hidden = true
    selectedIndex = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (at: number) => {
    const all = options()
    selectedIndex = all.length ? (at + all.length) % all.length : -1
    for (const [n, option] of all.entries()) option.setAttribute('aria-selected', String(n === selectedIndex))
    if (selectedIndex >= 0) input.setAttribute('aria-activedescendant', all[selectedIndex]?.id ?? '')
  }
  const show = (hits: Hit[], nothing: string) => {
    list.replaceChildren(
      ...hits.map(({ label, url }, at) => {
        const option = make('a', { href: url, id: `header-hit-${at}`, role: 'option', tabIndex: -1 }, label)
        return make('li', { role: 'presentation' }, option)
      }),
    )
    if (hits.length === 0) list.append(make('li', { role: 'presentation', className: 'empty-line' }, nothing))
    list.hidden = false
    input.setAttribute('aria-expanded', String(hits.length > 0))
    choose(0)
  }
  const find = async () => {
    const q = input.value.trim()
    if (!q) return close()
    const { data, ok } = await call<Hit[]>(`/api/search?q=${encodeURIComponent(q)}`)
    // Ignore these results if the user has changed the text. The changed text has its own request.
    if (input.value.trim() !== q || document.activeElement !== input) return
    resultsQuery = q
    show(data ?? [], ok ? 'No matches' : 'The server cannot be reached')
  }
  input.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void find(), QUIET_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    if (list.hidden || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    choose(selectedIndex + (event.key === 'ArrowDown' ? 1 : -1))
  })
  form.addEventListener('submit', (event) => {
    // Open the selected result only if the results belong to the current text. Otherwise, submit the form.
    const hit = list.hidden || resultsQuery !== input.value.trim() ? undefined : options()[selectedIndex]
    if (!hit) return
    event.preventDefault()
    location.assign(hit.href)
  })
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target as Node)) close()
  })
  // Search for text that was typed before this script loaded.
  if (document.activeElement === input) void find()
}
