import 'htmx.org'
import { showChangedRow } from './changed-row'
import { keepDrafts } from './drafts'
import { earlyDialog } from './early-dialog'
import { defineIslands } from './element'
import { ticks, trimPasted, unfinishedDays, upperCase } from './fields'
import { busyForms, catchUp, enterSavesAnyway, focusErrors, sayFailures } from './forms'
import { hotkeys, menus, printing, rememberSidebar } from './layout'
import { rowForms } from './row-forms'
import { rowStatus } from './row-status'
import { selection } from './selection'
import { checkSession, leaveForGood } from './session'
import { sayOnce } from './toast'

/** Runs once on every page. Pages also work without it. */
document.documentElement.classList.add('scripted')
defineIslands()
earlyDialog()
unfinishedDays()
enterSavesAnyway()
busyForms()
focusErrors()
sayFailures()
upperCase()
trimPasted()
ticks()
rowForms()
rowStatus()
selection()
leaveForGood()
menus()
hotkeys()
printing()
rememberSidebar()
keepDrafts()
checkSession()
showChangedRow()
sayOnce()
void import('./comforts').catch(() => {
  // The page also works without these features.
})
// After htmx has attached its listeners.
setTimeout(catchUp)
