import type { BarChart } from '../charts/bar-chart.js'
import { CHARTS_KEPT_MAX, IDLE_CHART_THREAD_MS } from '../limits.js'
import { poolOf } from './thread-pool.js'

/** The thread that draws charts, and the charts that were drawn last. */
export class ChartPool {
  readonly #pool = poolOf('draw-chart.js', IDLE_CHART_THREAD_MS)
  /** By what is drawn; the one asked for least lately first. */
  readonly #drawn = new Map<string, string>()
  readonly #drawing = new Map<string, Promise<string>>()

  /** The chart as SVG, if it is there already. */
  find(chart: BarChart): string | undefined {
    const key = JSON.stringify(chart)
    const svg = this.#drawn.get(key)
    if (svg === undefined) return undefined
    // A Map remembers insertion order: leaving and entering again makes it the newest.
    this.#drawn.delete(key)
    this.#drawn.set(key, svg)
    return svg
  }

  /** The chart as SVG, see `drawChart`; drawn once, however many ask at the same time. */
  async draw(chart: BarChart): Promise<string> {
    const known = this.find(chart)
    if (known !== undefined) return known
    const key = JSON.stringify(chart)
    const drawing = this.#drawing.get(key) ?? this.#draw(chart, key)
    this.#drawing.set(key, drawing)
    return drawing
  }

  /** Ends the thread; a chart under way is rejected. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #draw(chart: BarChart, key: string): Promise<string> {
    try {
      const svg: string = await this.#pool.run(chart, { name: 'drawChart' })
      this.#drawn.set(key, svg)
      for (const oldest of this.#drawn.keys()) {
        if (this.#drawn.size <= CHARTS_KEPT_MAX) break
        this.#drawn.delete(oldest)
      }
      return svg
    } finally {
      this.#drawing.delete(key)
    }
  }
}
