import { type ComponentType, type ReactNode, useEffect } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'

/** React code shared by all islands. It is loaded with the first island, so that no page waits for it. */

function Alive({ onAlive, children }: { onAlive: () => void; children: ReactNode }) {
  useEffect(onAlive, [])
  return children
}

/** Hydrates server-rendered markup. `onAlive` is called after the component's own first effects. */
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
