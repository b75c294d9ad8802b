/**
 * The bare limits: the same SQL through postgres.js, answered by Bun.serve as JSON with the count, or as rows
 * rendered by React without islands.
 */
import postgres from 'postgres'
import { renderToString } from 'react-dom/server'

const sql = postgres(process.env.DATABASE_URL as string, { max: 10 })

const list = () => sql`
  select t.id, t.unit_number, t.ra_number, t.location_out_id, o.location_name as location_out_name, t.location_in_id, i.location_name as location_in_name,
    t.move_date::text, t.estimated_arrival_date::text, t.actual_arrival_date::text, t.mileage, t.move_type, t.transport_company_id, c.company_name as transport_company_name,
    t.status, t.estimated_cost::float8, t.final_cost::float8, t.issue_po, t.po_number, t.notes, t.version, t.created_at, t.created_by, t.updated_at, t.updated_by
  from transports t join locations o on o.id = t.location_out_id join locations i on i.id = t.location_in_id join transport_companies c on c.id = t.transport_company_id
  where t.status <> 'Delivered' order by t.estimated_arrival_date, t.id limit 50`
const count = () => sql`select count(*)::int as total from transports where status <> 'Delivered'`

/** A status with its audit row, in one transaction. */
const change = (id: number, status: string) =>
  sql.begin(async (tx) => {
    const [before] = await tx`select status from transports where id = ${id} for no key update`
    const [after] =
      await tx`update transports set status = ${status}, version = version + 1, updated_at = now() where id = ${id} returning *`
    await tx`insert into audit_entries (at, actor, source, action, entity, entity_id, changes)
      values (now(), 'admin', 'api', 'update', 'transports', ${id}, ${tx.json({ status: { old: before?.status, new: status } })})`
    return after ?? null
  })

const COLUMNS = [
  'unit_number',
  'ra_number',
  'location_out_name',
  'location_in_name',
  'move_date',
  'estimated_arrival_date',
  'move_type',
  'transport_company_name',
  'estimated_cost',
  'status',
]

function Table({ rows, total }: { rows: Record<string, unknown>[]; total: number }) {
  return (
    <html lang="en">
      <body>
        <p>{total}</p>
        <table>
          <tbody>
            {rows.map((row) => (
              <tr key={String(row.id)}>
                {COLUMNS.map((column) => (
                  <td key={column}>{String(row[column] ?? '')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </body>
    </html>
  )
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const id = Number(/\/status\/(\d+)$/.exec(request.url)?.[1])
    if (id) return Response.json(await change(id, ((await request.json()) as { status: string }).status))
    const [rows, [counted]] = await Promise.all([list(), count()])
    const total = counted?.total as number
    if (request.url.endsWith('/json'))
      return Response.json({
        success: true,
        data: rows,
        meta: { page: 1, per_page: 50, total, pages: Math.ceil(total / 50) },
      })
    const html = `<!doctype html>${renderToString(<Table rows={rows} total={total} />)}`
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    if (!request.headers.get('accept-encoding')?.includes('gzip')) return new Response(html, { headers })
    return new Response(Bun.gzipSync(Buffer.from(html), { level: 3 }), {
      headers: { ...headers, 'content-encoding': 'gzip' },
    })
  },
})
console.log(`Yardmaster is at ${server.url.origin}`)
