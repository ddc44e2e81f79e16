import type { CommandEntry } from './command.js'

/** Everything `kontor` can do, in the order of its help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    kind: 'unloaded',
    name: 'serve',
    summary: 'answer REST requests',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  {
    kind: 'unloaded',
    name: 'demo',
    summary: 'fill the workspace demo with invented data',
    load: async () => (await import('./demo.js')).demoCommand,
  },
  {
    kind: 'unloaded',
    name: 'import',
    summary: 'bring bank files into a workspace',
    load: async () => {
      const { importCommand } = await import('./import.js')
      return importCommand((await import('../statements/formats.js')).FORMATS)
    },
  },
  {
    kind: 'unloaded',
    name: 'export',
    summary: 'print a workspace as NDJSON',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    kind: 'unloaded',
    name: 'keys',
    summary: 'API keys',
    load: async () => (await import('./keys.js')).keysCommands,
  },
  {
    kind: 'unloaded',
    name: 'workspaces',
    summary: 'what there is to serve',
    load: async () => (await import('./workspaces.js')).workspacesCommands,
  },
]
