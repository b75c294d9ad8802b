import type { Usage } from '../../src/platform/records/master-data/queries'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { usesOf } from './usage'

type Props = {
  noun: string
  name: string
  isActive: boolean
  usage: Usage
  action: string
  cancel: string
  merge: string
  deactivate: string
  version: number
}

export function DeletePage({ noun, name, isActive, usage, action, cancel, merge, deactivate, version }: Props) {
  return (
    <FormPage title={usage.total > 0 ? `Cannot delete ${noun}` : `Delete ${noun}?`}>
      {usage.total > 0 ? (
        <>
          <p>
            <strong>{name}</strong> is used by {usesOf(usage)}, so it cannot be deleted.{' '}
            {isActive
              ? `Deactivate it to take it out of the drop-downs, or merge it into another ${noun}.`
              : `It is already inactive, so the drop-downs do not offer it. It can be merged into another ${noun}.`}
          </p>
          <div className="form-buttons">
            <a className="button" href={cancel} data-close-modal="">
              Back
            </a>
            <a className="button" href={merge} data-modal="">
              Merge…
            </a>
            {isActive && (
              <form method="post" action={deactivate}>
                <input type="hidden" name="version" value={version} />
                <input type="hidden" name="back" value={cancel} />
                <button type="submit" className="button">
                  Deactivate
                </button>
              </form>
            )}
          </div>
        </>
      ) : (
        <>
          <p>
            <strong>{name}</strong> will be removed from every list. No records use it.
          </p>
          <Form action={action} form={{ values: {} }} submit="Delete" busy="Deleting..." cancel={cancel} danger />
        </>
      )}
    </FormPage>
  )
}
