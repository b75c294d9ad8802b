import 'htmx.org'
import { keepDrafts } from './drafts'
import { defineIslands } from './element'
import { busyForms, focusErrors, sayFailures, upperCase } from './forms'
import { hotkeys, menus, rememberSidebar } from './layout'
import { checkSession } from './session'
import { expire } from './toast'

/** Runs once on every page; everything it adds is on top of pages that work without it. */
document.documentElement.classList.add('scripted')
defineIslands()
busyForms()
focusErrors()
sayFailures()
upperCase()
menus()
hotkeys()
rememberSidebar()
keepDrafts()
checkSession()
document.querySelectorAll('[data-toast]').forEach(expire)
