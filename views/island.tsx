import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { Dropzone } from '../islands/dropzone'
import { Modal } from '../islands/modal'
import type { IslandName, IslandProps } from '../islands/registry'

/**
 * Interactive page parts (islands) that this file renders. Status dropdowns are excluded, because they are part of the
 * table rows and `islands/row-status.ts` hydrates them.
 */
type OwnIsland = Exclude<IslandName, 'status-dropdown'>

const components: { [Name in OwnIsland]: (props: IslandProps[Name]) => React.ReactNode } = {
  dropzone: Dropzone,
  modal: Modal,
}

type Props<Name extends OwnIsland> = { name: Name; id: string; props: IslandProps[Name] }

/**
 * Renders an interactive part of a page (an island). It is rendered separately with its own id prefix, so that React
 * finds the same markup when it hydrates the part in the browser. `id` must be unique on the page. Props must be plain
 * data.
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
