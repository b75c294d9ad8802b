import { expect, test } from 'bun:test'
import { locations } from '../../db/schema'
import { testContext } from '../support/context'

test.each(['/osl/new', '/titles/new', '/vehicles/registrations/new', '/transports/new'])(
  'the form %s says that there are no locations',
  async (path) => {
    const h = await testContext()
    const banner = async () => (await h.cast.ben.open(path)).find('.banner').join()
    expect(await banner()).toBe('')
    await h.ctx.db.update(locations).set({ is_active: false })
    expect(await banner()).toContain('needs a location')
  },
)
