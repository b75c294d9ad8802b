import { paths } from '../../src/paths'
import { showDate } from '../format'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { TransportRow } from './types'

export function DeleteTransportPage({ transport }: { transport: TransportRow }) {
  const { id, unit_number, location_out_name, location_in_name, move_date } = transport
  return (
    <FormPage title="Delete transport?">
      <p>
        Unit <strong>{unit_number}</strong> from {location_out_name} to {location_in_name}, moved {showDate(move_date)}. The audit trail keeps what it said.
      </p>
      <Form action={paths.transports.remove(id)} form={{ values: {} }} submit="Delete" busy="Deleting..." cancel={paths.transports.active} danger />
    </FormPage>
  )
}
