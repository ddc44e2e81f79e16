/** Versions of Node.js that kontor runs on, in words; `engines` of package.json says the same. */
export const NODE_VERSIONS = '20.19 or a later 20, or 22.13 or newer'

/** Whether kontor runs on a version of Node.js. @param version as in `process.versions.node` */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 20) return minor >= 19
  return major > 22 || (major === 22 && minor >= 13)
}
