import { type ComponentType, type ReactNode, useEffect } from 'react'
import type { Root } from 'react-dom/client'
import { type IslandName, type IslandProps, load } from './registry'

/** Islands that left the page may only be moving (htmx swaps, sorting); only those still away afterwards are closed. */
const roots = new Map<HTMLElement, Root>()

class IslandElement extends HTMLElement {
  connectedCallback() {
    bringAlive(this, this.getAttribute('name') as IslandName, JSON.parse(this.dataset.props ?? '{}'))
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

/** Does once more, now that somebody listens, what was done in the fields of an island before. */
function replay(choices: [Field, string][]) {
  for (const [field, value] of choices) {
    if (!(field instanceof HTMLInputElement && field.type === 'file')) field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

function Alive({ onAlive, children }: { onAlive: () => void; children: ReactNode }) {
  useEffect(onAlive, [])
  return children
}

/** Lets React take over what the server rendered in an element; what was done in its fields before is not lost. */
export function bringAlive<Name extends IslandName>(element: HTMLElement, name: Name, props: IslandProps[Name]) {
  if (roots.has(element)) return
  hydrate(element, name, props).catch(() => {
    // Its code did not arrive, so its plain form stays, and its button shows again.
    element.dataset.failed = ''
  })
}

async function hydrate(element: HTMLElement, name: IslandName, props: object) {
  const loader = load[name] as (() => Promise<ComponentType<object>>) | undefined
  if (!loader) throw new Error(`There is no island named "${name}": add it to islands/registry.ts`)
  const [{ hydrateRoot }, { createElement }, Component] = await Promise.all([
    import('react-dom/client'),
    import('react'),
    loader(),
  ])
  if (!element.isConnected || roots.has(element)) return
  const choices = [...element.querySelectorAll<Field>('input, select, textarea')].flatMap(
    (field): [Field, string][] => {
      const value = choiceIn(field)
      return value === undefined ? [] : [[field, value]]
    },
  )
  const onAlive = () => {
    // The island's own first effects come before this one, and what they set is drawn by then.
    setTimeout(() => {
      element.dataset.ready = ''
      replay(choices)
    })
  }
  const island = createElement(Alive, { onAlive, children: createElement(Component, props) })
  roots.set(element, hydrateRoot(element, island, { identifierPrefix: `${element.id}-` }))
}

/** Ends the islands whose element has left the page. */
export function closeDeparted() {
  for (const [element, root] of roots) {
    if (element.isConnected) continue
    roots.delete(element)
    root.unmount()
  }
}

/** How many islands are alive; for tests. */
export const liveIslands = () => roots.size

export function defineIslands() {
  if (!customElements.get('yard-island')) customElements.define('yard-island', IslandElement)
}
