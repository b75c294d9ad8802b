import type { ComponentType } from 'react'
import type { DropzoneProps } from './dropzone'
import type { ModalProps } from './modal'
import type { StatusDropdownProps } from './status-kinds'

/** Every island and its props; both must be plain data, for they travel in the page. */
export type IslandProps = {
  'status-dropdown': StatusDropdownProps
  dropzone: DropzoneProps
  modal: ModalProps
}

export type IslandName = keyof IslandProps

/** Brings an island's code to the browser, only when a page has one. */
export const load: { [Name in IslandName]: () => Promise<ComponentType<IslandProps[Name]>> } = {
  'status-dropdown': () => import('./status-dropdown').then((module) => module.StatusDropdown),
  dropzone: () => import('./dropzone').then((module) => module.Dropzone),
  modal: () => import('./modal').then((module) => module.Modal),
}
