import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { Dropzone } from '../islands/dropzone'
import { Modal } from '../islands/modal'
import type { IslandName, IslandProps } from '../islands/registry'
import { StatusDropdown } from '../islands/status-dropdown'

const components: { [Name in IslandName]: (props: IslandProps[Name]) => React.ReactNode } = {
  'status-dropdown': StatusDropdown,
  dropzone: Dropzone,
  modal: Modal,
}

type Props<Name extends IslandName> = { name: Name; id: string; props: IslandProps[Name] }

/**
 * An interactive piece of a page. It is rendered on its own, with its own id prefix, so that the browser finds the very
 * same markup when it takes over. `id` must be unique on the page; props are plain data.
 */
export function Island<Name extends IslandName>({ name, id, props }: Props<Name>) {
  const Component = components[name] as (props: IslandProps[Name]) => React.ReactNode
  const markup = renderToString(createElement(Component as never, props as never), { identifierPrefix: `${id}-` })
  return createElement('yard-island', { id, name, 'data-props': JSON.stringify(props), dangerouslySetInnerHTML: { __html: markup } })
}
