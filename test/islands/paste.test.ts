import { afterAll, beforeAll, expect, test } from 'bun:test'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { pastedRows } from '../../islands/paste'

beforeAll(() => {
  if (!GlobalRegistrator.isRegistered) GlobalRegistrator.register()
})
afterAll(() => GlobalRegistrator.unregister())

test('rows pasted into a unit field are sent with the values of the form', () => {
  document.body.innerHTML = `<form><input name="unit_number" data-paste="osl" data-paste-to="/files/paste">
    <label for="l">Location *</label>
    <select id="l" name="location_id"><option value="">Choose</option><option value="2">Phoenix (PHX)</option></select>
    <label for="v">Vendor *</label>
    <select id="v" name="vendor_id"><option value="">None</option><option value="7">Mesa Diesel</option></select>
    <label for="n">Notes</label><textarea id="n" name="notes"></textarea>
    <label for="m">Mailed</label><input id="m" type="checkbox" name="mailed">
    <input type="hidden" name="version" value="3"></form>`
  const sent: FormData[] = []
  HTMLFormElement.prototype.requestSubmit = function () {
    sent.push(new FormData(this))
  }
  pastedRows()
  ;(document.querySelector('#l') as HTMLSelectElement).value = '2'
  ;(document.querySelector('#v') as HTMLSelectElement).value = '7'
  ;(document.querySelector('#n') as HTMLTextAreaElement).value = 'my note'
  ;(document.querySelector('#m') as HTMLInputElement).checked = true
  const paste = new Event('paste', { bubbles: true, cancelable: true })
  Object.assign(paste, { clipboardData: { getData: () => '100293\n100294\n' } })
  document.querySelector('[name=unit_number]')?.dispatchEvent(paste)
  expect(paste.defaultPrevented).toBe(true)
  expect(Object.fromEntries(sent[0] as unknown as Iterable<[string, string]>)).toEqual({
    data_type: 'osl',
    rows: '100293\n100294\n',
    'every.location': 'PHX',
    'label.location': 'Location',
    'every.vendor': 'Mesa Diesel',
    'label.vendor': 'Vendor',
    'every.notes': 'my note',
    'label.notes': 'Notes',
    'every.mailed': 'Yes',
    'label.mailed': 'Mailed',
  })
})
