import { Secret, TOTP } from 'otpauth'
import { DOCUMENT_OWNERS } from '../../db/vocabulary'
import type { testContext } from '../support/context'
import { callsOf, type Step } from './step'

const TITLES = 'unit_number,location\n100200,PHX\n'

/** Steps for users, schedules, imports and webhooks. A step uses records of earlier steps. */
export function accountSteps({ cast, clock }: Awaited<ReturnType<typeof testContext>>): Step[] {
  const { ada, ben, stranger } = cast
  const { on, by } = callsOf(cast)
  const waiting = async (csv = TITLES) => (await ben.begin('titles', 'titles.csv', csv)).id
  let upload = 0
  return [
    [
      'POST /api/users',
      by('POST', '/users', { username: 'cleo', password: 'Ocotillo77', role: 'user' }),
      ['create users ada api'],
    ],
    ['PUT /api/users/:id', by('PUT', '/users/3', { first_name: 'Cleo' }), ['update users ada api']],
    [
      'POST /api/users/:id/reset-password',
      by('POST', '/users/3/reset-password', { newPassword: 'Ironwood88' }),
      ['update users ada api'],
    ],
    ['POST /api/users/:id/deactivate', by('POST', '/users/3/deactivate'), ['update users ada api']],
    ['POST /api/users/:id/activate', by('POST', '/users/3/activate'), ['update users ada api']],
    [
      'DELETE /api/users/:id/sessions/:key',
      async () => {
        const cleo = { username: 'cleo', password: 'Ironwood88' }
        await stranger.post('/auth/login', cleo)
        await stranger.post('/auth/login', cleo)
        const [open] = (await ada.get('/users/3/sessions')).body.data as unknown as [{ key: string }]
        await ada.delete(`/users/3/sessions/${open.key}`)
      },
      ['update users ada api'],
    ],
    ['DELETE /api/users/:id/sessions', by('DELETE', '/users/3/sessions'), ['update users ada api']],
    ['PUT /api/auth/profile', on('PUT', '/auth/profile', { phone: '602' }), ['update users ben api']],
    [
      'POST /api/auth/change-password',
      on('POST', '/auth/change-password', { currentPassword: 'Saguaro42', newPassword: 'Ocotillo77' }),
      ['update users ben api'],
    ],
    [
      'POST /api/auth/tokens',
      on('POST', '/auth/tokens', { current_password: 'Ocotillo77', name: 'Nightly', scope: 'read' }),
      ['create api_tokens ben api'],
    ],
    ['DELETE /api/auth/tokens/:id', on('DELETE', '/auth/tokens/1'), ['delete api_tokens ben api']],
    [
      'POST /api/reports/schedules',
      on('POST', '/reports/schedules', {
        name: 'Ageing',
        report_type: 'title_aging',
        frequency: 'monthly',
        day_of_month: 5,
      }),
      ['create report_schedules ben api'],
    ],
    [
      'PUT /api/reports/schedules/:id',
      on('PUT', '/reports/schedules/3', { name: 'Age' }),
      ['update report_schedules ben api'],
    ],
    ['DELETE /api/reports/schedules/:id', on('DELETE', '/reports/schedules/3'), ['delete report_schedules ben api']],
    [
      'POST /api/files/upload',
      () => ben.upload('titles', 'new.csv', 'unit_number,location\n100201,PHX\n'),
      ['create uploads ben api', 'create vehicles ben import', 'create titles ben import'],
    ],
    [
      'POST /api/files/imports',
      async () => {
        upload = await waiting('unit_number,location\n100202,Nowhere\n')
      },
      ['create uploads ben api'],
    ],
    [
      'PUT /api/files/:id',
      async () => {
        await ben.put(`/files/${upload}`, { names: [{ kind: 'location', name: 'Nowhere', id: 1 }] })
        await ben.settled(upload)
      },
      ['create import_aliases ben api', 'update uploads ben api'],
    ],
    [
      'POST /api/files/:id/commit',
      async () => {
        await ben.post(`/files/${upload}/commit`)
        await ben.settled(upload)
      },
      ['update uploads ben api', 'create vehicles ben import', 'create titles ben import'],
    ],
    [
      'POST /api/files/:id/undo',
      async () => {
        await ben.post(`/files/${upload}/undo`)
        await ben.settled(upload)
      },
      ['update uploads ben api', 'delete titles ben import', 'delete vehicles ben import'],
    ],
    [
      'POST /api/files/:id/cancel',
      async () => ben.post(`/files/${await waiting()}/cancel`),
      ['create uploads ben api', 'delete uploads ben api'],
    ],
    ...Object.keys(DOCUMENT_OWNERS).map(
      (owner): Step => [
        `POST /api/${owner}/:${owner === 'vehicles' ? 'unit' : 'id'}/documents`,
        // A call without a file adds no document. test/records/documents tests calls with files.
        async () => ben.call('POST', `/${owner}/1/documents`),
        [],
      ],
    ),
    ['POST /api/auth/totp', on('POST', '/auth/totp', {}), ['create second_factors ben api']],
    [
      'POST /api/auth/totp/confirm',
      async () => {
        const { secret } = (await ben.post('/auth/totp', {})).body.data as { secret: string }
        const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
        await ben.post('/auth/totp/confirm', { code })
      },
      ['update second_factors ben api', 'update second_factors ben api'],
    ],
    [
      'DELETE /api/auth/totp',
      on('DELETE', '/auth/totp', { current_password: 'Ocotillo77' }),
      ['delete second_factors ben api'],
    ],
    [
      'POST /api/webhooks',
      by('POST', '/webhooks', { url: 'https://example.com', events: ['vendor.created'] }),
      ['create webhooks ada api'],
    ],
    ['PUT /api/webhooks/:id', by('PUT', '/webhooks/1', { events: ['*'] }), ['update webhooks ada api']],
    ['POST /api/webhooks/:id/rotate-secret', by('POST', '/webhooks/1/rotate-secret'), ['update webhooks ada api']],
    ['DELETE /api/webhooks/:id', by('DELETE', '/webhooks/1'), ['delete webhooks ada api']],
    ['DELETE /api/files/aliases/:id', on('DELETE', '/files/aliases/1'), ['delete import_aliases ben api']],
    // This call ends the sessions of ben, so it comes last.
    [
      'POST /api/users/:id/reset-second-factor',
      async () => {
        await ben.post('/auth/totp', {})
        await ada.post('/users/2/reset-second-factor')
      },
      ['create second_factors ben api', 'delete second_factors ada api'],
    ],
  ]
}
