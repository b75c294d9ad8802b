import { goToLogin } from './call'
import { sendWithProgress } from './upload'

const LIST = '.panel-table'

const THUMBNAIL_WIDTH = 320
const THUMBNAIL_QUALITY = 0.7

/** Returns null if the browser cannot show the file as an image. */
async function thumbnailOf(file: File): Promise<Blob | null> {
  if (!file.type.startsWith('image/')) return null
  try {
    const picture = await createImageBitmap(file, { resizeWidth: THUMBNAIL_WIDTH })
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', THUMBNAIL_QUALITY))
  } catch {
    return null
  }
}

/** @returns true if the server has stored the file */
async function uploadOne(path: string, file: File, title: string, list: HTMLElement): Promise<boolean> {
  const line = document.createElement('li')
  line.innerHTML = '<label><span></span> <progress max="100" value="0"></progress></label>'
  const [name, bar] = line.querySelectorAll('label *') as unknown as [HTMLElement, HTMLProgressElement]
  name.textContent = file.name
  list.append(line)
  const form = new FormData()
  form.set('file', file)
  if (title) form.set('title', title)
  const thumbnail = await thumbnailOf(file)
  if (thumbnail) form.set('thumbnail', thumbnail, 'thumbnail.jpg')
  const { status, body } = await sendWithProgress(path, form, (percent) => {
    bar.value = percent
  })
  bar.remove()
  if (status === 201) {
    name.textContent = `${file.name}: uploaded`
    return true
  }
  if (status === 401) goToLogin()
  name.className = 'text-danger'
  const reason = status === 0 ? 'The server cannot be reached. Choose the file again.' : 'File upload failed'
  name.textContent = `${file.name}: ${body?.message || reason}`
  return false
}

export function documentUploads(panel: HTMLElement) {
  const form = panel.querySelector('form')
  const input = form?.querySelector<HTMLInputElement>('input[type=file]')
  const list = form?.querySelector<HTMLElement>('.upload-progress')
  if (!form || !input || !list) return
  const uploadAll = async (files: File[]) => {
    list.hidden = false
    list.replaceChildren()
    const title = form.querySelector<HTMLInputElement>('[name=title]')?.value ?? ''
    let stored = 0
    for (const file of files) if (await uploadOne(panel.dataset.documents ?? '', file, title, list)) stored++
    form.dataset.sent = ''
    if (stored === files.length) return location.reload()
    // Do not reload the page, so that the messages about failed files stay. Update only the list of stored documents.
    if (stored > 0)
      void window.htmx.ajax('GET', location.href, { target: LIST, select: LIST, swap: 'outerHTML', selectOOB: '' })
    // Clear the file input. Otherwise, pressing Upload again would send the stored files a second time.
    input.value = ''
  }
  const receive = (event: Event, { files }: { files: FileList | null } = { files: null }) => {
    if (!files?.length) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void uploadAll([...files])
  }
  form.addEventListener('submit', (event) => receive(event, input), true)
  panel.addEventListener('dragover', (event) => event.preventDefault())
  panel.addEventListener('drop', (event) => receive(event, event.dataTransfer ?? undefined))
  document.addEventListener('paste', (event) => receive(event, event.clipboardData ?? undefined))
  window.addEventListener('beforeunload', (event) => {
    if (input.files?.length && form.dataset.sent === undefined) event.preventDefault()
  })
}
