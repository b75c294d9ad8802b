import type { ComponentType } from 'react'
import type { Root } from 'react-dom/client'
import { type IslandName, type IslandProps, load } from './registry'

/** Islands that left the page may only be moving (htmx swaps, sorting); only those still away afterwards are closed. */
const roots = new Map<HTMLElement, Root>()

class IslandElement extends HTMLElement {
  connectedCallback() {
    const name = this.getAttribute('name') as IslandName
    void bringAlive(this, name, JSON.parse(this.dataset.props ?? '{}')).then((isAlive) => {
      // Its code did not arrive: its plain form stays, and its button shows again.
      if (!isAlive && this.isConnected) this.dataset.failed = ''
    })
  }

  disconnectedCallback() {
    queueMicrotask(closeDeparted)
  }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What somebody chose or typed in a field before the island was alive; undefined when nothing. */
export function choiceIn(field: Field): string | undefined {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected) ? field.value : undefined
  if (field instanceof HTMLInputElement && field.type === 'file') return field.files?.length ? '' : undefined
  return field.type !== 'hidden' && field.value !== field.defaultValue ? field.value : undefined
}

/** A field, what was chosen in it, and for a select the option that it came with. */
type Choice = [field: Field, value: string, initial?: string]
const initialOf = (field: Field) =>
  field instanceof HTMLSelectElement ? [...field.options].find((option) => option.defaultSelected)?.value : undefined

/** Does once more, now that somebody listens, what was done in the fields of an island before. */
function replay(choices: Choice[]) {
  for (const [field, value, initial] of choices) {
    // Somebody went on meanwhile, and was heard.
    if (initial !== undefined && field.value !== value && field.value !== initial) continue
    if (!(field instanceof HTMLInputElement && field.type === 'file')) field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

/**
 * Lets React take over what the server rendered in an element; what was done in its fields before is not lost.
 * @returns whether it did: not when its code does not arrive, or the element left the page meanwhile
 */
export async function bringAlive<Name extends IslandName>(
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

/** The code of an island, with React. */
function codeOf(name: IslandName) {
  const loader = load[name] as (() => Promise<ComponentType<object>>) | undefined
  if (!loader) throw new Error(`There is no island named "${name}": add it to islands/registry.ts`)
  return Promise.all([import('./alive'), loader()])
}

/** Brings the code of an island before it is needed. */
export const preload = (name: IslandName) => void codeOf(name).catch(() => {})

async function hydrate(element: HTMLElement, name: IslandName, props: object): Promise<boolean> {
  const [{ takeOver }, Component] = await codeOf(name)
  if (roots.has(element)) return true
  if (!element.isConnected) return false
  const choices = [...element.querySelectorAll<Field>('input, select, textarea')].flatMap((field): Choice[] => {
    field.removeAttribute('aria-busy')
    const value = choiceIn(field)
    return value === undefined ? [] : [[field, value, initialOf(field)]]
  })
  const onAlive = () => {
    // The island's own first effects come before this one, and what they set is drawn by then.
    setTimeout(() => {
      element.dataset.ready = ''
      replay(choices)
    })
  }
  roots.set(element, takeOver(element, Component, props, onAlive))
  return true
}

/** Ends the islands whose element has left the page. */
export function closeDeparted() {
  for (const [element, root] of roots) {
    if (element.isConnected) continue
    roots.delete(element)
    root.unmount()
  }
}

/** Has React taken this element over? */
export const isAlive = (element: HTMLElement) => roots.has(element)

/** How many islands are alive; for tests. */
export const liveIslands = () => roots.size

export function defineIslands() {
  if (!customElements.get('yard-island')) customElements.define('yard-island', IslandElement)
}
