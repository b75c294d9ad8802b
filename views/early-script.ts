/**
 * Inline script that marks a page as scripted before the first paint, so that nothing moves when the scripts arrive. If
 * a script fails to load or the boot script does not start within five seconds, the mark is removed and the page works
 * without scripts. The content security policy allows the script by its hash.
 */
export const EARLY_SCRIPT = `(() => {
  const root = document.documentElement
  const giveUp = () => { if (!root.dataset.booted) root.classList.remove('scripted') }
  root.classList.add('scripted')
  addEventListener('error', ({ target }) => { if (target.type === 'module') giveUp() }, true)
  setTimeout(giveUp, 5000)
})()`
