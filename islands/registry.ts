import type { ComponentType } from 'react'
import type { DropzoneProps } from './dropzone'
import type { ModalProps } from './modal'
import type { StatusDropdownProps } from './status-kinds'

/** Props of the interactive parts. They must be plain data, because the page contains them as JSON. */
export type IslandProps = {
  'status-dropdown': StatusDropdownProps
  dropzone: DropzoneProps
  modal: ModalProps
}

export type IslandName = keyof IslandProps

export const load: { [Name in IslandName]: () => Promise<ComponentType<IslandProps[Name]>> } = {
  'status-dropdown': () => import('./status-dropdown').then((module) => module.StatusDropdown),
  dropzone: () => import('./dropzone').then((module) => module.Dropzone),
  modal: () => import('./modal').then((module) => module.Modal),
}
