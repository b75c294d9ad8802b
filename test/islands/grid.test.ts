import { expect, test } from 'bun:test'
import { blockOf } from '../../islands/grid'

test('pasted spreadsheet text is split into cells', () => {
  expect(blockOf('100200\tPHX\r\n100201\tTMP\r\n')).toEqual([
    ['100200', 'PHX'],
    ['100201', 'TMP'],
  ])
  expect(blockOf('a\t\tc\t\nb')).toEqual([['a', '', 'c', ''], ['b']])
  expect(blockOf('"says ""hi"""\t"two\nlines"\n')).toEqual([['says "hi"', 'two\nlines']])
  expect(blockOf(' one ')).toEqual([['one']])
  expect(blockOf('')).toEqual([['']])
})
