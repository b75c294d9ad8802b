import { type ComponentType, type ReactNode, useEffect } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'

/** All that needs React of what brings an island alive; it comes with the first island, so that no page waits for it. */

function Alive({ onAlive, children }: { onAlive: () => void; children: ReactNode }) {
  useEffect(onAlive, [])
  return children
}

/** Lets a component take over what the server rendered; `onAlive` is called after its own first effects. */
export const takeOver = (
  element: HTMLElement,
  Component: ComponentType<object>,
  props: object,
  onAlive: () => void,
): Root =>
  hydrateRoot(
    element,
    <Alive onAlive={onAlive}>
      <Component {...props} />
    </Alive>,
    { identifierPrefix: `${element.id}-` },
  )
