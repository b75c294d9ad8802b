/**
 * Inline script that marks pages as scripted before the first paint, so that nothing moves when the scripts arrive.
 * Without the boot script, or before it has run for five seconds, the page works as without scripts. The content
 * security policy admits it by its hash.
 */
export const EARLY_SCRIPT = `(() => {
  const root = document.documentElement
  const giveUp = () => { if (!root.dataset.booted) root.classList.remove('scripted') }
  root.classList.add('scripted')
  addEventListener('error', ({ target }) => { if (target.type === 'module') giveUp() }, true)
  setTimeout(giveUp, 5000)
})()`
