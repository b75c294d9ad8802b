import { afterAll, beforeAll, beforeEach, expect, mock, test } from 'bun:test'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { renderToStaticMarkup } from 'react-dom/server'
import { StatusDropdown } from '../../islands/status-dropdown'
import type { StatusDropdownProps } from '../../islands/status-kinds'

const realFetch = globalThis.fetch
let element: typeof import('../../islands/element')

beforeAll(async () => {
  GlobalRegistrator.register({ url: 'http://localhost/transports/active' })
  element = await import('../../islands/element')
  const { rowStatus } = await import('../../islands/row-status')
  rowStatus()
})
afterAll(async () => {
  await GlobalRegistrator.unregister()
  globalThis.fetch = realFetch
})
beforeEach(() => {
  document.body.innerHTML = '<div id="toasts"></div><main></main>'
})

// The DOM of these tests always selects the second option, so the status is the second one.
const props: StatusDropdownProps = {
  kind: 'transports',
  id: 5,
  unit: '100200',
  status: 'Searching For Driver',
  version: 3,
}

const settled = () => Bun.sleep(60)

/** Adds a row as the server renders it, without a mounted island. */
function putRow(id = 5) {
  const row = document.createElement('tr')
  row.id = `row-${id}`
  row.innerHTML = `<td>${renderToStaticMarkup(<StatusDropdown {...props} id={id} />)}</td>`
  document.querySelector('main')?.append(row)
  return row.firstElementChild as HTMLElement
}

/** Adds a row, and mounts its island by moving the pointer over it. */
async function mount(id = 5) {
  const cell = putRow(id)
  cell.querySelector('select')?.dispatchEvent(new Event('pointerover', { bubbles: true }))
  while (cell.dataset.ready === undefined) await Bun.sleep(5)
  await settled()
  return cell
}

/** Mocks `fetch` with the given responses in turn. Returns the calls. */
function server(...answers: [number, object][]) {
  const calls: [string, unknown][] = []
  globalThis.fetch = mock(async (path: string, init: RequestInit = {}) => {
    const [status, body] = answers.shift() ?? [500, {}]
    calls.push([`${init.method} ${path}`, init.body ? JSON.parse(String(init.body)) : undefined])
    return { ok: status < 400, status, json: async () => body }
  }) as never
  return calls
}

function choose(island: HTMLElement, status: string) {
  const select = island.querySelector('select') as HTMLSelectElement
  select.value = status
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

test('without scripts, the status dropdown is a plain form', () => {
  const html = renderToStaticMarkup(<StatusDropdown {...props} />)
  expect(html).toContain('action="/transports/5/status?version=3" method="post"')
  expect(html).toContain('<button type="submit"')
})

test('a chosen status is sent with its version, and the response is shown', async () => {
  const island = await mount()
  expect(island.querySelector('button')).toBeNull()
  const calls = server([200, { success: true, data: { status: 'Delivered', version: 4 } }])
  choose(island, 'Delivered')
  await settled()
  expect(calls).toEqual([['PATCH /api/transports/5/status', { status: 'Delivered', version: 3 }]])
  expect(island.querySelector('select')?.value).toBe('Delivered')
  expect(document.querySelector('#toasts')?.textContent).toContain(
    'Unit 100200 is now Delivered. It disappears from this list when you reload',
  )
})

test('a warning about the new status is shown with it', async () => {
  const island = await mount()
  const warnings = [{ field: 'move_date', message: 'The move date is after today' }]
  server([200, { success: true, data: { status: 'Delivered', version: 4 }, warnings }])
  choose(island, 'Delivered')
  await settled()
  expect(document.querySelector('#toasts')?.textContent).toContain(
    'is now Delivered. The move date is after today. It disappears',
  )
})

test('a rejected change shows an error and reverts to the stored status', async () => {
  const island = await mount()
  server([500, { success: false, message: 'x' }])
  choose(island, 'Delivered')
  await settled()
  expect([island.querySelector('select')?.value, document.querySelector('#toasts')?.textContent]).toEqual([
    'Searching For Driver',
    'Failed to update status: x',
  ])
})

test('a stale change shows the status stored by another user', async () => {
  const island = await mount()
  const calls = server(
    [409, { success: false, message: 'This record has changed since you opened it' }],
    [200, { success: true, data: { status: 'Awaiting Pickup', version: 9 } }],
  )
  choose(island, 'Delivered')
  await settled()
  expect(calls.map(([call]) => call).filter((call) => call.includes('/api/'))).toEqual([
    'PATCH /api/transports/5/status',
    'GET /api/transports/5',
  ])
  expect(island.querySelector('select')?.value).toBe('Awaiting Pickup')
})

test('a row mounts its island on first use and sends an immediate choice', async () => {
  const before = element.liveIslands()
  const cell = putRow(6)
  await settled()
  expect([element.liveIslands(), cell.dataset.ready]).toEqual([before, undefined])
  const calls = server([200, { success: true, data: { status: 'Delivered', version: 4 } }])
  choose(cell, 'Delivered')
  while (cell.dataset.ready === undefined) await Bun.sleep(5)
  await settled()
  expect(calls).toEqual([['PATCH /api/transports/6/status', { status: 'Delivered', version: 3 }]])
})

test('a disabled row does not mount its island on hover', async () => {
  const cell = putRow(7)
  const select = cell.querySelector('select') as HTMLSelectElement
  const calls = server()
  select.value = 'Delivered'
  select.disabled = true
  select.dispatchEvent(new Event('pointerover', { bubbles: true }))
  await settled()
  expect([calls, cell.dataset.ready]).toEqual([[], undefined])
})

test('removed rows are unmounted at the next mount, and moved rows stay mounted', async () => {
  const before = element.liveIslands()
  const [stays, leaves] = [await mount(8), await mount(9)]
  const count = element.liveIslands()
  document.querySelector('main')?.prepend(stays.parentElement as HTMLElement)
  leaves.parentElement?.remove()
  await mount(10)
  expect([count >= before + 1, element.liveIslands()]).toEqual([true, 2])
})
