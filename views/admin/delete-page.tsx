import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'

type Usage = { transports: number; osl: number; registrations: number; titles: number; total: number }
type Props = { noun: string; name: string; usage: Usage; action: string; cancel: string }

const KINDS: [keyof Usage, string][] = [
  ['transports', 'transports'],
  ['osl', 'OSL entries'],
  ['registrations', 'registrations'],
  ['titles', 'titles'],
]

export function DeletePage({ noun, name, usage, action, cancel }: Props) {
  const uses = KINDS.filter(([kind]) => usage[kind] > 0).map(([kind, label]) => `${usage[kind]} ${label}`)
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
