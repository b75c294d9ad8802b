type ShownColumn = { name: string; about: string; kind?: string }
export type ShownColumns = { required: ShownColumn[]; optional: ShownColumn[] }
export type GuidelinesProps = ShownColumns & { label: string; sample: string }

export function Guidelines({ label, required, optional, sample, isOpen }: GuidelinesProps & { isOpen: boolean }) {
  return (
    <section className="panel guidelines">
      <details open={isOpen}>
        <summary>
          <h2>{label}: columns</h2>
        </summary>
        <Columns title="Required" columns={required} />
        <Columns title="Optional" columns={optional} />
      </details>
      <a href={sample} download="">
        Download a sample spreadsheet
      </a>
    </section>
  )
}

function Columns({ title, columns }: { title: string; columns: GuidelinesProps['required'] }) {
  return (
    <>
      <h3>{title}</h3>
      <ul className="columns">
        {columns.map(({ name, about }) => (
          <li key={name}>
            <code>{name}</code> <span>{about}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
