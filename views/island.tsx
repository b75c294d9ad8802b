import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { Dropzone } from '../islands/dropzone'
import { Modal } from '../islands/modal'
import type { IslandName, IslandProps } from '../islands/registry'

/** Excludes status dropdowns, which are rendered in their rows and hydrated by `islands/row-status.ts`. */
type OwnIsland = Exclude<IslandName, 'status-dropdown'>

const components: { [Name in OwnIsland]: (props: IslandProps[Name]) => React.ReactNode } = {
  dropzone: Dropzone,
  modal: Modal,
}

type Props<Name extends OwnIsland> = { name: Name; id: string; props: IslandProps[Name] }

/**
 * An interactive part of a page. It is rendered separately with its own id prefix, so that hydration finds the same
 * markup. `id` must be unique on the page; props must be plain data.
 */
export function Island<Name extends OwnIsland>({ name, id, props }: Props<Name>) {
  const markup = renderToString(createElement(components[name] as never, props as never), {
    identifierPrefix: `${id}-`,
  })
  return createElement('yard-island', {
    id,
    name,
    'data-props': JSON.stringify(props),
    dangerouslySetInnerHTML: { __html: markup },
  })
}
