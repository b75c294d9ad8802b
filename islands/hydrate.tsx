import { type ComponentType, type ReactNode, useEffect } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'

/**
 * Starts React for the interactive parts of a page.
 * React loads with the first interactive part, so that the rest of the page does not wait for it.
 */

function EffectsDone({ onReady, children }: { onReady: () => void; children: ReactNode }) {
  useEffect(onReady, [])
  return children
}

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
