import { afterAll, beforeAll, beforeEach, expect, mock, test } from 'bun:test'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { renderToString } from 'react-dom/server'
import { StatusDropdown, type StatusDropdownProps } from '../../islands/status-dropdown'

const realFetch = globalThis.fetch
let element: typeof import('../../islands/element')

beforeAll(async () => {
  GlobalRegistrator.register({ url: 'http://localhost/transports/active' })
  element = await import('../../islands/element')
  element.defineIslands()
})
afterAll(async () => {
  await GlobalRegistrator.unregister()
  globalThis.fetch = realFetch
})
beforeEach(() => {
  document.body.innerHTML = '<div id="toasts"></div><main></main>'
})

// The DOM of these tests takes the second option for the selected one, whichever is.
const props: StatusDropdownProps = {
  kind: 'transports',
  id: 5,
  unit: '100200',
  status: 'Searching For Driver',
  version: 3,
}

const settled = () => Bun.sleep(60)

async function mount(id = 'status-5') {
  const island = document.createElement('yard-island')
  island.id = id
  island.setAttribute('name', 'status-dropdown')
  island.dataset.props = JSON.stringify(props)
  island.innerHTML = renderToString(<StatusDropdown {...props} />, { identifierPrefix: `${id}-` })
  document.querySelector('main')?.append(island)
  while (island.dataset.ready === undefined) await Bun.sleep(5)
  await settled()
  return island
}

/** Answers the next calls in turn, and remembers them. */
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

test('without a script the status is a form that works', () => {
  const html = renderToString(<StatusDropdown {...props} />)
  expect(html).toContain('action="/transports/5/status" method="post"')
  expect(html).toContain('<button type="submit"')
  expect(html).toContain('name="version" value="3"')
})

test('a chosen status is sent with its version, and what the server says is shown', async () => {
  const island = await mount()
  expect(island.querySelector('button')).toBeNull()
  const calls = server([200, { success: true, data: { status: 'Delivered', version: 4 } }])
  choose(island, 'Delivered')
  await settled()
  expect(calls).toEqual([['PATCH /api/transports/5/status', { status: 'Delivered', version: 3 }]])
  expect(island.querySelector('select')?.value).toBe('Delivered')
  expect(document.querySelector('#toasts')?.textContent).toContain('Unit 100200 is Delivered and leaves this list')
})

test('a refused change says so and goes back to what is stored', async () => {
  const island = await mount()
  server([500, { success: false, message: 'x' }])
  choose(island, 'Delivered')
  await settled()
  expect([island.querySelector('select')?.value, document.querySelector('#toasts')?.textContent]).toEqual([
    'Searching For Driver',
    'Failed to update status: x',
  ])
})

test('a stale change shows what someone else stored', async () => {
  const island = await mount()
  const calls = server(
    [409, { success: false, message: 'Someone else changed this record since you opened it' }],
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

test('islands that leave the page are closed, islands that move are not', async () => {
  const before = element.liveIslands()
  const [stays, leaves] = [await mount('status-a'), await mount('status-b')]
  expect(element.liveIslands()).toBe(before + 2)
  document.querySelector('main')?.prepend(stays)
  leaves.remove()
  await settled()
  expect(element.liveIslands()).toBe(before + 1)
  stays.remove()
  await settled()
  expect(element.liveIslands()).toBe(before)
})
