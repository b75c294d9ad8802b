import { comboboxFields } from './combobox'
import { conflictChoices } from './conflicts'
import { forgetErrors } from './forget-errors'
import { grids } from './grid'
import { headerSearch } from './header-search'
import { listKeys } from './keys'
import { restoreLinkFocus } from './link-focus'
import { live } from './live'
import { reportLostChange } from './lost-change'
import { pastedRows } from './paste'
import { prefilledPlace } from './prefilled-place'
import { printing } from './printing'
import { rememberSidebar } from './remember-sidebar'
import { reportPeriodForms } from './report-period'
import { backToRow, focusContent, restorePlace, savePlace } from './restore-place'
import { keepSelection } from './restore-selection'
import { sidebarCounts } from './sidebar-counts'
import { datesOfStatus } from './status-dates'
import { ticks } from './ticks'
import { pageSizes, searchAgain, submitOnce, toolbarLines } from './toolbar'
import { trimPasted } from './trim-pasted'
import { dayKeys, enterSubmits, upperCase, warnWhenFull } from './typing'
import { vendorTerms } from './vendor-terms'

/** Features that make pages quicker to use. They load after the page, because no page depends on them. */
headerSearch()
listKeys()
dayKeys()
warnWhenFull()
enterSubmits()
upperCase()
trimPasted()
comboboxFields()
prefilledPlace()
printing()
forgetErrors()
ticks()
datesOfStatus()
vendorTerms()
conflictChoices()
pastedRows()
reportPeriodForms()
grids()
restorePlace()
backToRow()
savePlace()
keepSelection()
reportLostChange()
restoreLinkFocus()
focusContent()
live()
sidebarCounts()
rememberSidebar()
toolbarLines()
submitOnce()
searchAgain()
pageSizes()

const documents = document.querySelector<HTMLElement>('[data-documents]')
if (documents) void import('./documents').then(({ documentUploads }) => documentUploads(documents))
if (document.querySelector('[data-passkey]')) void import('./passkeys')
if (document.querySelector('[data-scan-log]')) void import('./scan-queue').then(({ scanQueue }) => scanQueue())
