import 'htmx.org'
import { showChangedRow } from './changed-row'
import { keepDrafts } from './drafts'
import { earlyDialog } from './early-dialog'
import { defineIslands } from './element'
import { unfinishedDays } from './fields'
import { busyForms, focusErrors, reportFailures, submitEarlySearches } from './forms'
import { hotkeys, menus } from './layout'
import { checkLogin } from './login'
import { rowForms } from './row-forms'
import { rowStatus } from './row-status'
import { selection } from './selection'
import { checkSession, secureSignOut } from './session'
import { showPendingToast } from './toast'

/** Boot script of every page. It starts the features that must work immediately. Pages also work without scripts. */
document.documentElement.classList.add('scripted')
document.documentElement.dataset.booted = 'yes'
defineIslands()
earlyDialog()
unfinishedDays()
checkLogin()
busyForms()
focusErrors()
reportFailures()
rowForms()
rowStatus()
selection()
secureSignOut()
menus()
hotkeys()
keepDrafts()
checkSession()
showChangedRow()
showPendingToast()
void import('./enhancements').catch(() => {
  // Ignore the error, because the page works without the optional features.
})
// Wait until htmx has attached its listeners, because `submitEarlySearches` sends the searches through htmx.
setTimeout(submitEarlySearches)
