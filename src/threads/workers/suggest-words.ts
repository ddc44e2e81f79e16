// Thread entry: keeps the texts of workspaces that suggestions are asked of, and finds the nearest.
import type { SuggestionCandidate } from '../../suggestions/suggestion-index.js'
import {
  type FindTextsTask,
  type LearnNamesTask,
  type LearnTask,
  type SettledIndex,
  SuggestionIndexes,
} from '../../suggestions/suggestion-tasks.js'
import { GcTrigger } from '../gc-trigger.js'
import { lowerPriority } from '../thread-priority.js'

// A caller waits for what is found, but reads come first.
lowerPriority('some')

const indexes = new SuggestionIndexes()

/** Time without a task after which handles are collected, and indexes that were dropped. */
const PAUSE_MS = 1_000

const gcTrigger = new GcTrigger()

export function learn(task: LearnTask): void {
  gcTrigger.collectAfter(PAUSE_MS)
  indexes.learn(task)
}

export function learnNames(task: LearnNamesTask): void {
  indexes.learnNames(task)
}

export function settle(indexId: number): SettledIndex | undefined {
  return indexes.settle(indexId)
}

export function find(task: FindTextsTask): SuggestionCandidate[] | undefined {
  return indexes.find(task)
}

export function drop(indexIds: readonly number[]): void {
  gcTrigger.collectAfter(PAUSE_MS)
  indexes.drop(indexIds)
}
