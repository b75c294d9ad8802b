import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'

type Usage = { transports: number; osl: number; registrations: number; titles: number; total: number; others: number }
type Props = { noun: string; name: string; usage: Usage; action: string; cancel: string }

const KINDS: [kind: keyof Usage, one: string, many: string][] = [
  ['transports', 'transport', 'transports'],
  ['osl', 'OSL entry', 'OSL entries'],
  ['registrations', 'registration', 'registrations'],
  ['titles', 'title', 'titles'],
  ['others', 'other record', 'other records'],
]

export function DeletePage({ noun, name, usage, action, cancel }: Props) {
  const uses = KINDS.filter(([kind]) => usage[kind] > 0).map(
    ([kind, one, many]) => `${usage[kind]} ${usage[kind] === 1 ? one : many}`,
  )
  return (
    <FormPage title={`Delete ${noun}?`}>
      {usage.total > 0 ? (
        <>
          <p>
            <strong>{name}</strong> is used by {uses.join(', ')}, so it cannot be deleted. Deactivate it to take it out
            of the drop-downs.
          </p>
          <div className="form-buttons">
            <a className="button" href={cancel} data-close-modal="">
              Back
            </a>
          </div>
        </>
      ) : (
        <>
          <p>
            <strong>{name}</strong> will be gone from every list. Nothing uses it.
          </p>
          <Form action={action} form={{ values: {} }} submit="Delete" busy="Deleting..." cancel={cancel} danger />
        </>
      )}
    </FormPage>
  )
}
