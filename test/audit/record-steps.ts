import { expect } from 'bun:test'
import type { Cast } from '../support/cast'
import { callsOf, FOLLOWS, MOVE, PLATE, type Step } from './step'

/** Steps for records, master data, invoices and budgets. A step uses records of earlier steps. */
export function recordSteps(cast: Cast): Step[] {
  const { ben } = cast
  const { on, by } = callsOf(cast)
  return [
    ['POST /api/vehicles', on('POST', '/vehicles', { unit_number: '100200' }), ['create vehicles ben api']],
    ['PATCH /api/vehicles/:id/status', on('PATCH', '/vehicles/1/status', { mileage: 10 }), ['update vehicles ben api']],
    [
      'POST /api/vehicles/readings',
      on('POST', '/vehicles/readings', {
        readings: [{ unit_number: '100200', at: '2026-03-10T08:00:00Z', mileage: 11 }],
      }),
      ['update vehicles ben api'],
    ],
    ['POST /api/transports', on('POST', '/transports', MOVE), ['create transports ben api']],
    ['PUT /api/transports/:id', on('PUT', '/transports/1', { mileage: 5 }), ['update transports ben api']],
    [
      'PATCH /api/transports/:id/status',
      on('PATCH', '/transports/1/status', { status: 'In Transit' }),
      ['update transports ben api', FOLLOWS],
    ],
    [
      'POST /api/transports/bulk',
      on('POST', '/transports/bulk', { ids: [1], set: { status: 'Delivered' } }),
      ['update transports ben api', FOLLOWS],
    ],
    ['POST /api/bulk/:id/undo', on('POST', '/bulk/1/undo'), ['update transports ben api', FOLLOWS]],
    ['POST /api/transports/:id/po', on('POST', '/transports/1/po'), ['update transports ben api']],
    ['DELETE /api/transports/:id', on('DELETE', '/transports/1'), ['delete transports ben api', FOLLOWS]],
    ['POST /api/transports/:id/restore', on('POST', '/transports/1/restore'), ['restore transports ben api', FOLLOWS]],
    [
      'POST /api/osl',
      on('POST', '/osl', {
        unit_number: '100200',
        osl_date: '2026-03-01',
        location_id: 1,
        problem: 'Windshield cracked',
      }),
      ['create osl_entries ben api', FOLLOWS],
    ],
    ['PUT /api/osl/:id', on('PUT', '/osl/1', { ra_number: 'R1' }), ['update osl_entries ben api']],
    ['PATCH /api/osl/:id/status', on('PATCH', '/osl/1/status', { status: 'Ready' }), ['update osl_entries ben api']],
    ['POST /api/osl/bulk', on('POST', '/osl/bulk', { ids: [1], note: 'Asked' }), ['create osl_notes ben api']],
    ['POST /api/osl/:id/notes', on('POST', '/osl/1/notes', { note_text: 'Called' }), ['create osl_notes ben api']],
    [
      'POST /api/osl/:id/rates',
      on('POST', '/osl/1/rates', { from: '2026-03-05', daily_rate: 30 }),
      ['create osl_rates ben api', 'update osl_entries ben api'],
    ],
    ['DELETE /api/osl/:id/rates/:rate', on('DELETE', '/osl/1/rates/1'), ['delete osl_rates ben api']],
    ['DELETE /api/osl/:id', on('DELETE', '/osl/1'), ['delete osl_entries ben api', FOLLOWS]],
    ['POST /api/osl/:id/restore', on('POST', '/osl/1/restore'), ['restore osl_entries ben api', FOLLOWS]],
    [
      'POST /api/scan',
      async () => {
        await ben.post('/transports', { ...MOVE, status: 'In Transit' })
        const { status } = await ben.post('/scan', { unit: '100200', as: 'delivered', on: '2026-03-12' })
        expect(status).toBe(201)
      },
      ['create transports ben api', 'update transports ben api', FOLLOWS],
    ],
    [
      'POST /api/views',
      on('POST', '/views', { list: 'osl-active', name: 'Ready', query: 'status=Ready' }),
      ['create saved_views ben api'],
    ],
    ['PUT /api/views/:id', on('PUT', '/views/1', { shared: true }), ['update saved_views ben api']],
    [
      'PUT /api/lists/:list/layout',
      on('PUT', '/lists/titles/layout', { hidden: ['Contact'] }),
      ['update list_layouts ben api'],
    ],
    ['DELETE /api/lists/:list/layout', on('DELETE', '/lists/titles/layout'), ['delete list_layouts ben api']],
    ['DELETE /api/views/:id', on('DELETE', '/views/1'), ['delete saved_views ben api']],
    ['POST /api/registrations', on('POST', '/registrations', PLATE), ['create registrations ben api']],
    ['PUT /api/registrations/:id', on('PUT', '/registrations/1', { cost: 5 }), ['update registrations ben api']],
    [
      'PATCH /api/registrations/:id/status',
      on('PATCH', '/registrations/1/status', { status: 'Complete' }),
      ['update registrations ben api'],
    ],
    [
      'PATCH /api/registrations/:id/toggle-received',
      on('PATCH', '/registrations/1/toggle-received'),
      ['update registrations ben api'],
    ],
    [
      'POST /api/registrations/bulk',
      on('POST', '/registrations/bulk', { ids: [1], set: { received: true } }),
      ['update registrations ben api'],
    ],
    ['POST /api/registrations/:id/renew', on('POST', '/registrations/1/renew', {}), ['create registrations ben api']],
    [
      'POST /api/registrations/renew',
      on('POST', '/registrations/renew', { ids: [1] }),
      ['create registrations ben api'],
    ],
    ['DELETE /api/registrations/:id', on('DELETE', '/registrations/1'), ['delete registrations ben api']],
    ['POST /api/registrations/:id/restore', on('POST', '/registrations/1/restore'), ['restore registrations ben api']],
    [
      'POST /api/registrations/batch',
      on('POST', '/registrations/batch', {
        registrations: [
          { ...PLATE, plate_number: 'OLD', date_expires: '2026-02-01', received: true, status: 'Complete' },
        ],
      }),
      ['create registrations ben api'],
    ],
    ['POST /api/titles', on('POST', '/titles', { unit_number: '100200', location_id: 1 }), ['create titles ben api']],
    ['PUT /api/titles/:id', on('PUT', '/titles/1', { dealer_name: 'Valley' }), ['update titles ben api']],
    ['PATCH /api/titles/:id/transfer', on('PATCH', '/titles/1/transfer', {}), ['update titles ben api']],
    ['PATCH /api/titles/:id/reopen', on('PATCH', '/titles/1/reopen', {}), ['update titles ben api']],
    [
      'POST /api/due/:kind/:id/snooze',
      async () => {
        await ben.put('/titles/1', { submitted_date: '2026-02-01' })
        await ben.post('/due/title_overdue/1/snooze', { until: '2026-03-20' })
      },
      ['create due_snoozes ben api', 'update titles ben api'],
    ],
    ['PUT /api/settings', by('PUT', '/settings', { phone: '602-555-0100' }), ['update company_settings ada api']],
    [
      'POST /api/due/:kind/:id/assign',
      on('POST', '/due/title_overdue/1/assign', { assigned_to: 'ada' }),
      ['create due_assignments ben api'],
    ],
    ['DELETE /api/due/:kind/:id/snooze', on('DELETE', '/due/title_overdue/1/snooze'), ['delete due_snoozes ben api']],
    [
      'POST /api/osl/:id/follow-up',
      on('POST', '/osl/1/follow-up', { note_text: 'Called the yard', next_action: 'Call again' }),
      ['create osl_notes ben api', 'update osl_entries ben api'],
    ],
    [
      'POST /api/titles/:id/notes',
      on('POST', '/titles/1/notes', { note_text: 'Called' }),
      ['create title_notes ben api'],
    ],
    [
      'POST /api/titles/:id/chase',
      on('POST', '/titles/1/chase', { note_text: 'Called again' }),
      ['create title_notes ben api', 'update titles ben api'],
    ],
    [
      'POST /api/titles/bulk',
      on('POST', '/titles/bulk', { ids: [1], set: { transferred_date: '2026-03-14' } }),
      ['update titles ben api'],
    ],
    ['DELETE /api/titles/:id', on('DELETE', '/titles/1'), ['delete titles ben api']],
    ['POST /api/titles/:id/restore', on('POST', '/titles/1/restore'), ['restore titles ben api']],
    ...(
      [
        ['locations', { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' }, { phone: '1' }, 4],
        ['transport-companies', { company_name: 'Saguaro' }, { phone: '1' }, 3],
        ['vendors', { vendor_name: 'Axle' }, { phone: '1' }, 1],
      ] as const
    ).flatMap(([noun, created, changed, id]): Step[] => {
      const entity = noun.replace('-', '_')
      return [
        [`POST /api/${noun}`, by('POST', `/${noun}`, created), [`create ${entity} ada api`]],
        [`PUT /api/${noun}/:id`, by('PUT', `/${noun}/${id}`, changed), [`update ${entity} ada api`]],
        [`POST /api/${noun}/:id/deactivate`, by('POST', `/${noun}/${id}/deactivate`), [`update ${entity} ada api`]],
        [`POST /api/${noun}/:id/activate`, by('POST', `/${noun}/${id}/activate`), [`update ${entity} ada api`]],
        [`DELETE /api/${noun}/:id`, by('DELETE', `/${noun}/${id}`), [`delete ${entity} ada api`]],
      ]
    }),
    [
      'POST /api/locations/import',
      by('POST', '/locations/import', {
        existing: 'update',
        rows: [
          { location_code: 'TUC', location_name: 'Tucson', location_type: 'Hub' },
          { location_code: 'PHX', location_name: 'Phoenix', phone: '602-555-0100' },
        ],
      }),
      ['create locations ada api', 'update locations ada api'],
    ],
    [
      'POST /api/transport-companies/import',
      by('POST', '/transport-companies/import', { rows: [{ company_name: 'Verde' }] }),
      ['create transport_companies ada api'],
    ],
    [
      'POST /api/vendors/import',
      by('POST', '/vendors/import', { rows: [{ vendor_name: 'Pima' }] }),
      ['create vendors ada api'],
    ],
    ['POST /api/vendors', by('POST', '/vendors', { vendor_name: 'Bolt' }), ['create vendors ada api']],
    ...(
      [
        ['locations', { location_code: 'MSA', location_name: 'Mesa', location_type: 'Hub' }, 5, 1],
        ['transport-companies', { company_name: 'Cactus' }, 4, 1],
        ['vendors', { vendor_name: 'Cactus' }, 3, 2],
      ] as const
    ).flatMap(([noun, created, id, into_id], at): Step[] => {
      const entity = noun.replace('-', '_')
      return [
        [`POST /api/${noun}`, by('POST', `/${noun}`, created), [`create ${entity} ada api`]],
        [
          `POST /api/${noun}/:id/merge`,
          by('POST', `/${noun}/${id}/merge`, { into_id }),
          [`delete ${entity} ada api`, `update ${entity} ada api`],
        ],
        [
          `POST /api/${noun}/merges/:id/undo`,
          by('POST', `/${noun}/merges/${at + 1}/undo`),
          [`restore ${entity} ada api`, `update ${entity} ada api`],
        ],
      ]
    }),
    [
      'POST /api/vendors/:id/invoices',
      on('POST', '/vendors/2/invoices', {
        number: 'A-1',
        start_date: '2026-02-01',
        end_date: '2026-02-28',
        lines: [{ unit_number: '100200', amount: 5 }],
      }),
      ['create vendor_invoices ben api'],
    ],
    [
      'PATCH /api/vendors/:id/invoices/:invoice/lines/:line',
      by('PATCH', '/vendors/2/invoices/1/lines/1', { decision: 'disputed' }),
      ['update vendor_invoice_lines ada api'],
    ],
    [
      'DELETE /api/vendors/:id/invoices/:invoice',
      by('DELETE', '/vendors/2/invoices/1'),
      ['delete vendor_invoices ada api'],
    ],
    [
      'POST /api/vendors/:id/invoices/:invoice/restore',
      by('POST', '/vendors/2/invoices/1/restore'),
      ['restore vendor_invoices ada api'],
    ],
    [
      'PUT /api/locations/:id/budget',
      by('PUT', '/locations/1/budget', { year: 2026, amounts: Array.from({ length: 12 }, () => 100) }),
      ['create budgets ada api'],
    ],
    [
      'POST /api/transport-companies/:id/invoices',
      on('POST', '/transport-companies/2/invoices', {
        number: 'T-1',
        start_date: '2026-02-01',
        end_date: '2026-02-28',
        lines: [{ unit_number: '100200', amount: 5 }],
      }),
      ['create vendor_invoices ben api'],
    ],
    [
      'PATCH /api/transport-companies/:id/invoices/:invoice/lines/:line',
      by('PATCH', '/transport-companies/2/invoices/2/lines/2', { decision: 'disputed' }),
      ['update vendor_invoice_lines ada api'],
    ],
    [
      'DELETE /api/transport-companies/:id/invoices/:invoice',
      by('DELETE', '/transport-companies/2/invoices/2'),
      ['delete vendor_invoices ada api'],
    ],
    [
      'POST /api/transport-companies/:id/invoices/:invoice/restore',
      by('POST', '/transport-companies/2/invoices/2/restore'),
      ['restore vendor_invoices ada api'],
    ],
  ]
}
