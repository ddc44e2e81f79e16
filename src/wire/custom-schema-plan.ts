/** One entry: the attribute, and its target; null = it is removed. */
export interface Move {
  readonly source: readonly string[]
  readonly target: readonly string[] | null
}

/** An attribute of the original object that has an entry, or is an ancestor of one that has. */
export interface SourceNode {
  /** The name as in the object's bytes, quotation marks included. */
  readonly key: Uint8Array
  /** Number of the entry; -1 when it is only an ancestor. */
  readonly entry: number
  readonly children: readonly SourceNode[]
}

/** A place of the new object that is an entry's target, or an ancestor of one. */
export interface TargetNode {
  readonly key: Uint8Array
  /** Number of the entry that moves here; -1 when it is only an ancestor. */
  readonly entry: number
  /** Index in {@link CustomSchema.targets}. */
  readonly place: number
  readonly children: readonly TargetNode[]
}

/** A validated and compiled customSchema. It rewrites one object at a time. */
export interface CustomSchema {
  readonly entryCount: number
  /** The original object itself; its key is empty. */
  readonly source: SourceNode
  /** Per entry, the node of its source. */
  readonly sources: readonly SourceNode[]
  /** The new object itself; its key is empty. */
  readonly target: TargetNode
  /** Every node below and including `target`, a parent before its children. */
  readonly targets: readonly TargetNode[]
  /** The rewritten object has at most this many bytes more than the original. */
  readonly growthBytesMax: number
  /** Scratch, per entry: start and end of its value in the object; start -1 = it is absent. */
  readonly valueStart: Int32Array
  readonly valueEnd: Int32Array
  /** Scratch, per index of `targets`: 1 = a value moves there or below and is not written yet. */
  readonly pending: Uint8Array
}

/** A node while the tree is being built. */
interface Branch {
  readonly name: string
  entry: number
  readonly branches: Map<string, Branch>
}

/** Compiles the moves. @param moves sources and targets distinct, no empty paths */
export function compileMoves(moves: readonly Move[]): CustomSchema {
  const sourceRoot = branchNamed('')
  const targetRoot = branchNamed('')
  moves.forEach(({ source, target }, entry) => {
    branchAt(sourceRoot, source).entry = entry
    if (target !== null) branchAt(targetRoot, target).entry = entry
  })
  const sources: SourceNode[] = []
  const targets: TargetNode[] = []
  const source = sourceNode(sourceRoot, sources)
  const target = targetNode(targetRoot, targets)
  return {
    entryCount: moves.length,
    source,
    sources,
    target,
    targets,
    // A new place takes its name, a colon, a comma and, when it is an object, two braces.
    growthBytesMax: targets.reduce((sum, { key }) => sum + key.length + 4, 0),
    valueStart: new Int32Array(moves.length),
    valueEnd: new Int32Array(moves.length),
    pending: new Uint8Array(targets.length),
  }
}

function branchNamed(name: string): Branch {
  return { name, entry: -1, branches: new Map() }
}

function branchAt(root: Branch, path: readonly string[]): Branch {
  let branch = root
  for (const segment of path) {
    let next = branch.branches.get(segment)
    if (next === undefined) {
      next = branchNamed(segment)
      branch.branches.set(segment, next)
    }
    branch = next
  }
  return branch
}

function sourceNode(branch: Branch, byEntry: SourceNode[]): SourceNode {
  const children = [...branch.branches.values()].map((child) => sourceNode(child, byEntry))
  const node = { key: keyBytes(branch.name), entry: branch.entry, children }
  if (branch.entry >= 0) byEntry[branch.entry] = node
  return node
}

function targetNode(branch: Branch, byPlace: TargetNode[]): TargetNode {
  const children: TargetNode[] = []
  const node = { key: keyBytes(branch.name), entry: branch.entry, place: byPlace.length, children }
  byPlace.push(node)
  for (const child of branch.branches.values()) children.push(targetNode(child, byPlace))
  return node
}

function keyBytes(name: string): Uint8Array {
  return Buffer.from(JSON.stringify(name))
}
