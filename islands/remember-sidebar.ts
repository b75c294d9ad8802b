import { setCookie } from './cookie'

const YEAR_SECONDS = 31_536_000

/** Stores the hidden parts of the sidebar in a cookie. The server hides the same parts on the next page. */
export function rememberSidebar() {
  const controls = document.querySelectorAll<HTMLElement>('#sidebar-toggle, details[data-section]')
  const save = () => {
    const hidden = [...controls].filter((control) => control.matches(':checked, details:not([open])'))
    setCookie('yardmaster_sidebar', hidden.map(({ dataset }) => dataset.section ?? 'hidden').join('|'), YEAR_SECONDS)
  }
  for (const control of controls) for (const event of ['change', 'toggle']) control.addEventListener(event, save)
  // The user may have changed the sidebar before this script loaded.
  if (controls.length > 0) save()
}
