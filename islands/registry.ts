import type { ComponentType } from 'react'
import type { DropzoneProps } from './dropzone'
import type { ModalProps } from './modal'
import type { StatusDropdownProps } from './status-kinds'

/**
 * Interactive parts of pages with their props. Props must be plain data, because they are written into the page as
 * JSON.
 */
export type IslandProps = {
  'status-dropdown': StatusDropdownProps
  dropzone: DropzoneProps
  modal: ModalProps
}

export type IslandName = keyof IslandProps

/** Functions that load the code of each interactive part. The code loads only on pages that contain the part. */
export const load: { [Name in IslandName]: () => Promise<ComponentType<IslandProps[Name]>> } = {
  'status-dropdown': () => import('./status-dropdown').then((module) => module.StatusDropdown),
  dropzone: () => import('./dropzone').then((module) => module.Dropzone),
  modal: () => import('./modal').then((module) => module.Modal),
}
