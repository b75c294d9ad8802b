import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newMetrics } from '../../src/platform/metrics/metrics'

/** The examples for Prometheus and Grafana query only metrics and labels that `/metrics` serves. */

const example = (name: string) => readFileSync(join(import.meta.dir, '../../docs/examples', name), 'utf8')

type Alerts = { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] }
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

const alerts = (Bun.YAML.parse(example('prometheus-alerts.yml')) as Alerts).groups.flatMap(({ rules }) => rules)
const { panels } = JSON.parse(example('grafana-dashboard.json')) as Dashboard
const queries = [
  ...alerts.map(({ alert, expr }) => ({ name: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ name: title, expr }))),
]

/** Labels that Prometheus itself adds. */
const OF_PROMETHEUS = ['job', 'instance', 'le']

function served() {
  const metrics = newMetrics().registry.getMetricsAsArray() as unknown as {
    name: string
    type: string
    labelNames: string[]
  }[]
  const suffixes = (type: string) => (type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
  return {
    names: ['up', ...metrics.flatMap(({ name, type }) => suffixes(type).map((suffix) => name + suffix))],
    labels: [...OF_PROMETHEUS, ...metrics.flatMap(({ labelNames }) => labelNames)],
  }
}

describe('the monitoring examples', () => {
  const { names, labels } = served()

  test('query only metrics that exist', () => {
    for (const { name, expr } of queries) {
      const used = expr.match(/\b(yardmaster_\w+|process_\w+|up(?=\{))/g) ?? []
      expect([name, used.length > 0, used.filter((metric) => !names.includes(metric))]).toEqual([name, true, []])
    }
  })

  test('use only labels that exist', () => {
    for (const { name, expr } of queries) {
      const selected = [...expr.matchAll(/(\w+)(?:=~|="|!=)/g)].map(([, label]) => label as string)
      const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => (list as string).split(', '))
      expect([name, [...selected, ...grouped].filter((label) => !labels.includes(label))]).toEqual([name, []])
    }
  })
})
