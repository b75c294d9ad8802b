/** Removes spaces around pasted text. Otherwise, the length limit of the field could cut off the end. */
export function trimPasted() {
  document.addEventListener('paste', (event) => {
    const field = event.target
    if (!(field instanceof HTMLInputElement) || field.type === 'password') return
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const trimmed = text.trim()
    if (text === trimmed || !trimmed) return
    // Ignore pasted text that spans several cells or rows. The grid or the importer handles it.
    const { cell, paste } = field.dataset
    if ((cell !== undefined || paste !== undefined) && /[\t\n]/.test(trimmed)) return
    event.preventDefault()
    // Unlike setting `value`, `insertText` fires an `input` event, and the user can undo it with Ctrl+Z.
    document.execCommand('insertText', false, trimmed)
  })
}
