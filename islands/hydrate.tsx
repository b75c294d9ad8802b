import { type ComponentType, type ReactNode, useEffect } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'

/** React code shared by all islands. It is loaded with the first island, so that no page waits for it. */

function EffectsDone({ onReady, children }: { onReady: () => void; children: ReactNode }) {
  useEffect(onReady, [])
  return children
}

/** Hydrates server-rendered markup. `onReady` is called after the component's own first effects. */
export const hydrateIsland = (
  element: HTMLElement,
  Component: ComponentType<object>,
  props: object,
  onReady: () => void,
): Root =>
  hydrateRoot(
    element,
    <EffectsDone onReady={onReady}>
      <Component {...props} />
    </EffectsDone>,
    { identifierPrefix: `${element.id}-` },
  )
