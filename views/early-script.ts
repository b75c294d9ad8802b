/**
 * Inline script that marks the page as scripted before the browser first displays it.
 * The page then looks as it does with scripts from the start, so nothing moves when they load. The mark is removed if a
 * script fails to load or the boot script does not start within five seconds. The page then works without scripts. The
 * content security policy allows this script by its hash.
 */
export const EARLY_SCRIPT = `(() => {
  const root = document.documentElement
  const giveUp = () => { if (!root.dataset.booted) root.classList.remove('scripted') }
  root.classList.add('scripted')
  addEventListener('error', ({ target }) => { if (target.type === 'module') giveUp() }, true)
  setTimeout(giveUp, 5000)
})()`
