// Thread entry: charts. Their library takes half a second to load, and a chart some 20 ms.
export { drawChart } from '../src/charts/draw-chart.js'
