import { createContext, useContext } from 'react'
import type { ColumnChoice } from '../../src/platform/lists/kind'
import type { ListLayout, ListLayouts } from '../../src/platform/lists/layouts/rules'
import { areCostsSeen } from '../costs'
import type { Column } from './list-rows'

export const Layouts = createContext<ListLayouts>({})

/** True for columns that users cannot hide. */
export const isFixed = <Row,>({ isPick, isActions, part }: Column<Row>) =>
  Boolean(isPick || isActions || part === 'unit' || part === 'main')

export const isShown = <Row,>(column: Column<Row>, layout: ListLayout | undefined) =>
  isFixed(column) ||
  (column.isExtra ? Boolean(layout?.added.includes(column.label)) : !layout?.hidden.includes(column.label))

/** A label that several columns share appears once. */
export const choicesOf = <Row,>(columns: Column<Row>[]): ColumnChoice[] =>
  columns
    .filter((column) => !isFixed(column))
    .map(({ label, isExtra, isCost }) => ({ label, isExtra: isExtra === true, isCost: isCost === true }))
    .filter(({ label }, at, all) => all.findIndex((other) => other.label === label) === at)

export function useColumns<Row>(list: string | undefined, columns: Column<Row>[]): Column<Row>[] {
  const layout = useContext(Layouts)[list ?? '']
  return columns.filter((column) => (areCostsSeen() || !column.isCost) && isShown(column, layout))
}
