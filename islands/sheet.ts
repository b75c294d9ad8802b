import { goToLogin } from './call'

export const pathOf = (href: string) => new URL(href, location.href).pathname

/** @returns null if the page cannot be loaded, or `away` if the server cannot be reached */
export async function fetchPage(href: string): Promise<Document | 'away' | null> {
  try {
    const response = await fetch(href, { headers: { 'hx-request': 'true', 'hx-current-url': location.href } })
    if (response.status === 401) goToLogin()
    if (!response.ok) return null
    return new DOMParser().parseFromString(await response.text(), 'text/html')
  } catch {
    return 'away'
  }
}

/**
 * Focuses the field that a clicked link in the error list names.
 * Adds no history entry.
 * @returns true if the user clicked such a link
 */
export function leadsToField(event: MouseEvent, within: Element | null): boolean {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
  const field =
    link && within?.contains(link) && within.querySelector<HTMLElement>(`#${CSS.escape(link.hash.slice(1))}`)
  if (!field) return false
  event.preventDefault()
  field.focus()
  return true
}

export const firstField = (within: Element) =>
  within.querySelector<HTMLElement>('[autofocus]') ??
  within.querySelector<HTMLElement>('input:not([type=hidden],[readonly]),select,textarea,button')
