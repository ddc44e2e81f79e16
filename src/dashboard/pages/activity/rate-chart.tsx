import type { VNode } from '../../../browser/jsx.js'
import { METRICS_SLOT_MS } from '../../../http/request-metrics.js'

const WIDTH = 600
const HEIGHT = 120

/** Requests a second as bars, the newest at the right. @param rates the oldest first */
export function RateChart({ rates }: { readonly rates: readonly number[] }): VNode {
  const most = Math.max(...rates)
  const step = WIDTH / rates.length
  const seconds = METRICS_SLOT_MS / 1_000
  const label = `At most ${Math.round(most * 10) / 10} requests per second, over ${seconds} seconds`
  return (
    <figure class="rate-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {rates.map((rate, i) => {
          const height = most === 0 ? 0 : (rate / most) * (HEIGHT - 2)
          const box = { x: i * step, y: HEIGHT - height, width: step * 0.8, height }
          return height === 0 ? null : <rect key={box.x} class="bar" {...box} />
        })}
        <line class="axis" x1={0} y1={HEIGHT} x2={WIDTH} y2={HEIGHT} />
      </svg>
      <figcaption class="soft">{label}.</figcaption>
    </figure>
  )
}
