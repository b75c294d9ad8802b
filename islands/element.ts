import type { ComponentType } from 'react'
import type { Root } from 'react-dom/client'
import { type IslandName, type IslandProps, load } from './registry'

/**
 * React roots of the interactive parts of the page.
 * The htmx library and sorting move an element by removing and inserting it. A root is therefore unmounted only if its
 * element is still missing after the current script.
 */
const roots = new Map<HTMLElement, Root>()

class IslandElement extends HTMLElement {
  connectedCallback() {
    const name = this.getAttribute('name') as IslandName
    void hydrateElement(this, name, JSON.parse(this.dataset.props ?? '{}')).then((isHydrated) => {
      // React could not load. Mark the element, so that the button of the plain HTML form appears again.
      if (!isHydrated && this.isConnected) this.dataset.failed = ''
    })
  }

  disconnectedCallback() {
    queueMicrotask(closeDeparted)
  }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Returns the user's input from before React took over the field.
 * Returns undefined if the user changed nothing, and an empty string if the user chose a file.
 */
export function choiceIn(field: Field): string | undefined {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected) ? field.value : undefined
  if (field instanceof HTMLInputElement && field.type === 'file') return field.files?.length ? '' : undefined
  return field.type !== 'hidden' && field.value !== field.defaultValue ? field.value : undefined
}

type Choice = [field: Field, value: string, initial?: string]
const initialOf = (field: Field) =>
  field instanceof HTMLSelectElement ? [...field.options].find((option) => option.defaultSelected)?.value : undefined

/** Repeats `change` events that React missed before it took over. */
function replay(choices: Choice[]) {
  for (const [field, value, initial] of choices) {
    // Skip a select that the user has changed again, because React has already handled that change.
    if (initial !== undefined && field.value !== value && field.value !== initial) continue
    if (!(field instanceof HTMLInputElement && field.type === 'file')) field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

/**
 * Lets React take over (hydrate) an interactive part of the page.
 * Keeps the user's earlier input.
 * @returns false if the code did not load, or the element has left the page
 */
export async function hydrateElement<Name extends IslandName>(
  element: HTMLElement,
  name: Name,
  props: IslandProps[Name],
): Promise<boolean> {
  if (roots.has(element)) return true
  try {
    return await hydrate(element, name, props)
  } catch {
    return false
  }
}

function loadCode(name: IslandName) {
  const loader = load[name] as (() => Promise<ComponentType<object>>) | undefined
  if (!loader) throw new Error(`No island ${name}`)
  return Promise.all([import('./hydrate'), loader()])
}

export const preload = (name: IslandName) => void loadCode(name).catch(() => {})

async function hydrate(element: HTMLElement, name: IslandName, props: object): Promise<boolean> {
  const [{ hydrateIsland }, Component] = await loadCode(name)
  if (roots.has(element)) return true
  if (!element.isConnected) return false
  const choices = [...element.querySelectorAll<Field>('input, select, textarea')].flatMap((field): Choice[] => {
    field.removeAttribute('aria-busy')
    const value = choiceIn(field)
    return value === undefined ? [] : [[field, value, initialOf(field)]]
  })
  const onReady = () => {
    // Wait until React has also rendered the state changes of the first effects.
    setTimeout(() => {
      element.dataset.ready = ''
      replay(choices)
    })
  }
  roots.set(element, hydrateIsland(element, Component, props, onReady))
  return true
}

export function closeDeparted() {
  for (const [element, root] of roots) {
    if (element.isConnected) continue
    roots.delete(element)
    root.unmount()
  }
}

export const isHydrated = (element: HTMLElement) => roots.has(element)

/** Number of interactive parts that React has taken over, for tests. */
export const liveIslands = () => roots.size

export function defineIslands() {
  if (!customElements.get('yard-island')) customElements.define('yard-island', IslandElement)
}
