import type { ComponentType } from 'react'
import type { Root } from 'react-dom/client'
import { type IslandName, load } from './registry'

/** Islands that left the page may only be moving (htmx swaps, sorting); only those still away afterwards are closed. */
const roots = new Map<HTMLElement, Root>()

class IslandElement extends HTMLElement {
  connectedCallback() {
    if (!roots.has(this)) void hydrate(this)
  }

  disconnectedCallback() {
    queueMicrotask(closeDeparted)
  }
}

async function hydrate(element: HTMLElement) {
  const name = element.getAttribute('name') as IslandName
  const loader = load[name] as (() => Promise<ComponentType<object>>) | undefined
  if (!loader) throw new Error(`There is no island named "${name}": add it to islands/registry.ts`)
  const [{ hydrateRoot }, { createElement }, Component] = await Promise.all([import('react-dom/client'), import('react'), loader()])
  if (!element.isConnected || roots.has(element)) return
  const props = JSON.parse(element.dataset.props ?? '{}')
  roots.set(element, hydrateRoot(element, createElement(Component, props), { identifierPrefix: `${element.id}-` }))
  element.dataset.ready = ''
}

function closeDeparted() {
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
