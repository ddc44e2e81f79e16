import { SaxesParser } from 'saxes'
import { type Test, test } from 'tap'
import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { BarChart } from '../../src/charts/bar-chart.js'
import { drawChart } from '../../src/charts/draw-chart.js'

/** What an SVG is made of: names of elements and attributes, texts, and how many bars. */
function partsOf(t: Test, svg: string) {
  const elements = new Set<string>()
  const attributes = new Set<string>()
  const texts: string[] = []
  const bars: Record<string, number> = {}
  const parser = new SaxesParser()
  parser.on('error', (error) => t.fail(error.message))
  parser.on('opentag', ({ name, attributes: given }) => {
    elements.add(name)
    for (const key of Object.keys(given)) attributes.add(key)
  })
  parser.on('text', (text) => {
    if (text.trim() !== '') texts.push(text)
  })
  parser.write(svg).close()
  for (const name of ['incoming', 'outgoing']) {
    const group = new RegExp(`class="[^"]*${name}_marks"[^>]*>(.*?)</g>`, 's').exec(svg)?.[1] ?? ''
    bars[name] = [...group.matchAll(/<path /g)].length
  }
  return { elements, attributes, texts, bars }
}

const NASTY = '<script>alert(1)</script> & "Büro" style='

function chartOf(shape: BarChart['shape'], count: number): BarChart {
  const bars = Array.from({ length: count }, (_, i) => ({
    name: i === 0 ? NASTY : `bar ${i}`,
    incoming: i * 100.5,
    outgoing: -i * 7e11,
  }))
  return { shape, bars }
}

for (const shape of ['columns', 'rows'] as const) {
  test(`${shape}: an SVG that a strict policy lets through`, async (t) => {
    const { elements, attributes, texts, bars } = partsOf(t, await drawChart(chartOf(shape, 12)))
    t.same([...elements].sort(), ['g', 'line', 'path', 'svg', 'text'])
    t.same(
      [...attributes].filter((name) => /^(style|on.*|href|xlink:href)$/.test(name)),
      [],
    )
    t.same(bars, { incoming: 12, outgoing: 12 })
    t.ok(texts.length > 4, 'it has labels')
  })
}

test('names are text, whatever stands in them', async (t) => {
  const chart: BarChart = { shape: 'rows', bars: [{ name: '<b>&x', incoming: 1, outgoing: 0 }] }
  const svg = await drawChart(chart)
  t.match(svg, '&lt;b&gt;&amp;x')
  t.notMatch(svg, '<b>')
})

test('nothing is drawn of nothing', async (t) => {
  const { bars } = partsOf(t, await drawChart({ shape: 'columns', bars: [] }))
  t.same(bars, { incoming: 0, outgoing: 0 })
})

/** The same chart in Vega-Lite's notation, drawn by all of Vega. */
async function drawnByVegaLite({ shape, bars }: BarChart): Promise<string> {
  const isColumns = shape === 'columns'
  const names = bars.map(({ name }) => name)
  const band = { field: 'name', type: 'ordinal', sort: names, title: null }
  const labels = isColumns ? { labelAngle: 0, labelOverlap: 'greedy' } : { labelLimit: 170 }
  const length = { type: 'quantitative', title: null, axis: { format: '~s' } }
  const layerOf = (field: string): object => ({
    name: field,
    mark: { type: 'bar', aria: false },
    encoding: isColumns
      ? { x: { ...band, axis: labels }, y: { ...length, field } }
      : { y: { ...band, axis: labels }, x: { ...length, field } },
  })
  const spec: unknown = {
    background: null,
    padding: 4,
    width: 760,
    height: isColumns ? 240 : 28 * Math.max(1, bars.length),
    data: { values: bars },
    layer: [layerOf('incoming'), layerOf('outgoing')],
    config: { aria: false, view: { stroke: null }, axis: { labelFontSize: 13, tickCount: 5 } },
  }
  const view = new View(parse(compile(spec as TopLevelSpec).spec), { renderer: 'none' })
  return view.toSVG()
}

test('a chart is what Vega-Lite makes of the same wish', async (t) => {
  for (const shape of ['columns', 'rows'] as const) {
    for (const count of [1, 2, 12, 40]) {
      const chart = chartOf(shape, count)
      t.equal(await drawChart(chart), await drawnByVegaLite(chart), `${shape}, ${count}`)
    }
    const plain = [0, 1, 2].map((i) => ({ name: `${i}`, incoming: i / 7, outgoing: -0 }))
    for (const bars of [plain, plain.map((bar) => ({ ...bar, incoming: 0, outgoing: -1e-3 }))]) {
      t.equal(await drawChart({ shape, bars }), await drawnByVegaLite({ shape, bars }), shape)
    }
  }
})
