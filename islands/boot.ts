import 'htmx.org'
import { showChangedRow } from './changed-row'
import { keepDrafts } from './drafts'
import { defineIslands } from './element'
import { busyForms, catchUp, focusErrors, sayFailures, ticks, trimPasted, upperCase } from './forms'
import { headerSearch } from './header-search'
import { hotkeys, menus, printing, rememberSidebar } from './layout'
import { live } from './live'
import { reportPeriod } from './report-period'
import { rowForms } from './row-forms'
import { selection } from './selection'
import { checkSession, leaveForGood } from './session'
import { expire } from './toast'
import { viewCounts } from './view-counts'

/** Runs once on every page; everything it adds is on top of pages that work without it. */
document.documentElement.classList.add('scripted')
defineIslands()
busyForms()
focusErrors()
sayFailures()
upperCase()
trimPasted()
ticks()
rowForms()
selection()
reportPeriod()
leaveForGood()
menus()
hotkeys()
printing()
headerSearch()
rememberSidebar()
void viewCounts()
live()
keepDrafts()
checkSession()
showChangedRow()
document.querySelectorAll('[data-toast]').forEach(expire)
// Once htmx listens.
setTimeout(catchUp)
