/**
 * Baseline server: the same SQL through postgres.js, without our code.
 * Returns JSON with the count, or a page that React renders without islands. The small page has only the values. The
 * full page also has the controls of each row, so it is as large as ours.
 */
import postgres from 'postgres'
import { renderToString } from 'react-dom/server'

const sql = postgres(process.env.DATABASE_URL as string, { max: 10 })

const list = () => sql`
  select t.id, t.unit_number, t.ra_number, t.location_out_id, o.location_name as location_out_name, t.location_in_id,
  i.location_name as location_in_name,
    t.move_date::text, t.estimated_arrival_date::text, t.actual_arrival_date::text, t.mileage, t.move_type,
    t.transport_company_id, c.company_name as transport_company_name,
    t.status, t.estimated_cost::float8, t.final_cost::float8, t.issue_po, t.po_number, t.notes, t.version,
    t.created_at, t.created_by, t.updated_at, t.updated_by
  from transports t join locations o on o.id = t.location_out_id join locations i on i.id = t.location_in_id
  join transport_companies c on c.id = t.transport_company_id
  where t.status <> 'Delivered' order by t.estimated_arrival_date, t.id limit 50`
const count = () => sql`select count(*)::int as total from transports where status <> 'Delivered'`

const change = (id: number, status: string) =>
  sql.begin(async (tx) => {
    const [before] = await tx`select status from transports where id = ${id} for no key update`
    const [after] = await tx`update transports set status = ${status}, version = version + 1, updated_at = now()
      where id = ${id} returning *`
    await tx`insert into audit_entries (at, actor, source, action, entity, entity_id, changes)
      values (now(), 'admin', 'api', 'update', 'transports', ${id},
        ${tx.json({ status: { old: before?.status, new: status } })})`
    return after ?? null
  })

/** Verifies the password as our server does, and opens a session. */
async function signIn({ username, password }: { username: string; password: string }) {
  const [user] = await sql`select * from users where lower(username) = lower(${username})`
  if (!(await Bun.password.verify(password, user?.password_hash))) return null
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  await sql`insert into sessions (id, user_id, created_at, last_seen_at, expires_at)
    values (${id}, ${user?.id}, now(), now(), now() + interval '1 day')`
  return id
}

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

const STATUSES = ['Awaiting Pickup', 'Searching For Driver', 'Vehicle Not Ready', 'In Transit', 'Delivered']

/** The controls of one of our rows: checkbox, status and three actions. */
function Controls({ row: { id, unit_number, status, version } }: { row: Record<string, unknown> }) {
  const at = `/transports/${id}`
  const of = `transport of unit ${unit_number}`
  return (
    <>
      <td className="pick">
        <input
          type="checkbox"
          form="selection"
          name="ids"
          value={String(id)}
          aria-label={`Select unit ${unit_number}`}
        />
      </td>
      <td className="state">
        <form className="status-form" method="post" action={`${at}/status`} autoComplete="off">
          <input type="hidden" name="version" value={String(version)} />
          <select name="status" defaultValue={String(status)} aria-label={`Status of Unit ${unit_number}`}>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {status}
              </option>
            ))}
          </select>
          <button type="submit" className="button button-quiet without-script">
            Set
          </button>
        </form>
      </td>
      <td className="actions">
        {['Order', 'Edit', 'Delete'].map((verb) => (
          <a
            key={verb}
            href={`${at}/${verb.toLowerCase()}`}
            className={`as-icon icon-${verb}`}
            data-modal=""
            title={verb}
            aria-label={`${verb} ${of}`}
          >
            {verb}
          </a>
        ))}
      </td>
    </>
  )
}

/** Filler as large as the markup around our rows and values. */
const AROUND = '<p class="around">What stands around the rows of a list</p>'.repeat(340)

type TableProps = { rows: Record<string, unknown>[]; total: number; isFull: boolean }
function Table({ rows, total, isFull }: TableProps) {
  return (
    <html lang="en">
      <body>
        <p>{total}</p>
        {isFull && <div dangerouslySetInnerHTML={{ __html: AROUND }} />}
        <table>
          <tbody>
            {rows.map((row) => (
              <tr key={String(row.id)}>
                {COLUMNS.map((column) => (
                  <td key={column}>{String(row[column] ?? '')}</td>
                ))}
                {isFull && <Controls row={row} />}
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
    if (request.url.endsWith('/login'))
      return Response.json({ token: await signIn((await request.json()) as { username: string; password: string }) })
    const [rows, [counted]] = await Promise.all([list(), count()])
    const total = counted?.total as number
    if (request.url.endsWith('/json'))
      return Response.json({
        success: true,
        data: rows,
        meta: { page: 1, per_page: 50, total, pages: Math.ceil(total / 50) },
      })
    const isFull = request.url.endsWith('/page-full')
    const html = `<!doctype html>${renderToString(<Table rows={rows} total={total} isFull={isFull} />)}`
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    if (!request.headers.get('accept-encoding')?.includes('gzip')) return new Response(html, { headers })
    return new Response(Bun.gzipSync(Buffer.from(html), { level: 3 }), {
      headers: { ...headers, 'content-encoding': 'gzip' },
    })
  },
})
console.log(`Yardmaster is at ${server.url.origin}`)
