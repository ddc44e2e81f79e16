/** An object whose members may be undefined. */
type MaybeAbsent<T> = { [K in keyof T]: T[K] | undefined }

/** A copy without the members that are undefined: absent fields are left out. */
export function presentOnly<T extends object>(
  members: MaybeAbsent<T>,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const name of Object.keys(members) as (keyof T)[]) {
    const value = members[name]
    if (value !== undefined) present[name] = value as Exclude<T[typeof name], undefined>
  }
  return present
}
