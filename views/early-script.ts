/**
 * Inline script that sets the CSS class `scripted` before the page appears.
 * With this class, the page has its final layout at once, so that nothing moves when the scripts load. The class is
 * removed if a script fails to load or the boot script does not start within five seconds. Without the class, the page
 * works without scripts. The content security policy allows this script by its hash.
 */
export const EARLY_SCRIPT = `(() => {
  const { classList, dataset } = document.documentElement
  const giveUp = () => dataset.booted || classList.remove('scripted')
  classList.add('scripted')
  addEventListener('error', ({ target }) => target.type === 'module' && giveUp(), true)
  setTimeout(giveUp, 5000)
})()`.replaceAll('\n  ', '\n')
