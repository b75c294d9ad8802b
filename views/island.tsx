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

const REMEMBERED = 2000

/**
 * Markup by id and props. An island's first markup follows from them alone, and lists show the same rows again and
 * again.
 */
const rendered = new Map<string, string>()

/** A string put together from pieces keeps each of them; one that stays for long is better in one piece. */
const inOnePiece = (text: string) => Buffer.from(text).toString()

function markupOf<Name extends IslandName>(name: Name, id: string, props: IslandProps[Name], data: string): string {
  const key = `${name} ${id} ${data}`
  const known = rendered.get(key)
  if (known !== undefined) return known
  const markup = renderToString(createElement(components[name] as never, props as never), {
    identifierPrefix: `${id}-`,
  })
  // The oldest goes first; a row that changed has another key and is never shown stale.
  if (rendered.size >= REMEMBERED) rendered.delete(rendered.keys().next().value as string)
  rendered.set(inOnePiece(key), inOnePiece(markup))
  return markup
}

type Props<Name extends IslandName> = { name: Name; id: string; props: IslandProps[Name] }

/**
 * An interactive piece of a page. It is rendered on its own, with its own id prefix, so that the browser finds the very
 * same markup when it takes over. `id` must be unique on the page; props are plain data.
 */
export function Island<Name extends IslandName>({ name, id, props }: Props<Name>) {
  const data = JSON.stringify(props)
  return createElement('yard-island', {
    id,
    name,
    'data-props': data,
    dangerouslySetInnerHTML: { __html: markupOf(name, id, props, data) },
  })
}
