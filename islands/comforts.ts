import { choiceKeys } from './choices'
import { conflictChoices } from './conflicts'
import { grids } from './grid'
import { headerSearch } from './header-search'
import { backToRow, goOn, keepPlace } from './kept-place'
import { keepTicks } from './kept-ticks'
import { listKeys } from './keys'
import { live } from './live'
import { sayLost } from './lost-change'
import { pastedRows } from './paste'
import { reportPeriod } from './report-period'
import { sameLink } from './same-link'
import { scanQueue } from './scan-queue'
import { sidebarCounts } from './sidebar-counts'
import { askedOnce, pageSizes, searchAgain, toolbarLines } from './toolbar'
import { ctrlEnter, dayKeys, sayFull } from './typing'
import { vendorTerms } from './vendor-terms'

/** Features that make pages quicker to use. They load after the page, because no page depends on them. */
headerSearch()
listKeys()
dayKeys()
ctrlEnter()
sayFull()
choiceKeys()
vendorTerms()
conflictChoices()
pastedRows()
reportPeriod()
grids()
goOn()
backToRow()
keepPlace()
keepTicks()
sayLost()
sameLink()
live()
scanQueue()
sidebarCounts()
toolbarLines()
askedOnce()
searchAgain()
pageSizes()
