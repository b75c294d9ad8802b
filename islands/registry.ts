import type { ComponentType } from 'react'
import type { DropzoneProps } from './dropzone'
import type { ModalProps } from './modal'
import type { StatusDropdownProps } from './status-kinds'

/** Every island with its props. Props must be plain data, because they are serialized into the page. */
export type IslandProps = {
  'status-dropdown': StatusDropdownProps
  dropzone: DropzoneProps
  modal: ModalProps
}

export type IslandName = keyof IslandProps

/** Loaders of the islands' code, used only on pages that need it. */
export const load: { [Name in IslandName]: () => Promise<ComponentType<IslandProps[Name]>> } = {
  'status-dropdown': () => import('./status-dropdown').then((module) => module.StatusDropdown),
  dropzone: () => import('./dropzone').then((module) => module.Dropzone),
  modal: () => import('./modal').then((module) => module.Modal),
}
