import { type ComponentType, type ReactNode, useEffect } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'

/**
 * Starts React for the interactive parts of a page. React is not part of the boot script. It loads together with the
 * first interactive part, so that the rest of the page does not have to wait for it.
 */

function EffectsDone({ onReady, children }: { onReady: () => void; children: ReactNode }) {
  useEffect(onReady, [])
  return children
}

/** Lets React take over HTML that the server rendered. `onReady` is called after the first effects of the component. */
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
